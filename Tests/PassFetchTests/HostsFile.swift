import Foundation
import Testing

/// The names of this computer.
enum HostsFile {
    /// A name for a loopback address in `/etc/hosts`, other than those that libcurl resolves
    /// itself. Debian enters the computer's own name.
    static let loopback: (address: String, name: String)? = {
        let text = (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") {
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard let address = words.first, address.hasPrefix("127."),
                let name = words.dropFirst().first(where: { !$0.hasPrefix("localhost") })
            else { continue }
            return (address, name)
        }
        return nil
    }()

    static let reason: Comment = "/etc/hosts has no other name for a loopback address"
}
