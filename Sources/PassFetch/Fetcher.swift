import Bytes
internal import Confinement
internal import Fetching
internal import Foundation
import Glibc
import Platform

/// The program `passconduit-fetch`: takes a folder as argument, reads a configuration and orders,
/// and writes events.
package enum Fetcher {
    private static let usage = """
        usage: passconduit-fetch FOLDER

        Fetches what passconduit asks for into files of FOLDER. It is started by passconduit, which
        sends it orders as lines of JSON and reads from it what became of them.

        """

    package static func main() -> Never {
        FileDescriptor.fillClosedStreams()
        // An error from writing to a closed output is reported like any other.
        signal(SIGPIPE, SIG_IGN)
        guard CommandLine.arguments.count == 2, let folder = CommandLine.arguments.last,
            !folder.isEmpty, !folder.hasPrefix("-")
        else { end(EX_USAGE, usage) }
        var lines = OrderLines(FileDescriptor(STDIN_FILENO))
        guard let first = lines.next() else { exit(0) }
        guard let configuration = try? JSONLines.value(FetchConfiguration.self, from: first) else {
            end(EX_USAGE, usage)
        }
        do throws(FileError) {
            _ = try Confinement(configuration, folder: folder, ProcessInfo.processInfo.environment)
                .apply()
        } catch {
            end(EX_OSERR, "passconduit-fetch: \(error.reason)\n")
        }
        let orders = Orders(
            configuration, in: folder, Events(to: FileDescriptor(STDOUT_FILENO)))
        while let line = lines.next() {
            if let order = try? JSONLines.value(FetchOrder.self, from: line) {
                orders.carryOut(order)
            } else {
                say("passconduit-fetch: this is not an order, and is left out\n")
            }
        }
        _exit(0)
    }

    private static func end(_ code: Int32, _ text: String) -> Never {
        say(text)
        exit(code)
    }

    private static func say(_ text: String) {
        try? FileDescriptor(STDERR_FILENO).writeAll(Array(text.utf8).span)
    }
}

extension Confinement {
    /// Sockets, the files that the C library reads to resolve names, certificate authorities, and
    /// the folder.
    fileprivate init(
        _ configuration: FetchConfiguration, folder: String, _ environment: [String: String]
    ) {
        self.init()
        allowsSockets = true
        var files = [configuration.authorities].compactMap(\.self)
        files += configuration.authorityFolder?.components(separatedBy: ":") ?? []
        files += environment["TZDIR"]?.components(separatedBy: ":") ?? []
        readable = SystemFiles.common + SystemFiles.network + files.map { Array($0.utf8) }
        writable = [Array(folder.utf8)]
    }
}
