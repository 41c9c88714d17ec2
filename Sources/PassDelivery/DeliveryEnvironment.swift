import Bytes
import Glibc
import MailSource

/// What the program takes from its environment.
struct DeliveryEnvironment {
    /// Where large messages are kept while they are searched.
    let temporaryFolders: [String]
    /// Where messages wait when nobody says otherwise; nil where there is no home.
    let spoolFolder: Path?

    init() {
        let own = variable("TMPDIR").map { [String(decoding: $0, as: UTF8.self)] } ?? []
        temporaryFolders = own + SpoolPolicy().directories
        // The XDG base directory specification has relative paths ignored.
        let state = variable("XDG_STATE_HOME").flatMap { $0.first == UInt8(ascii: "/") ? $0 : nil }
        let base = state ?? variable("HOME").map { $0 + Array("/.local/state".utf8) }
        spoolFolder = base.map { Path($0 + Array("/passconduit/spool".utf8)) }
    }
}

/// A variable that is set and not empty, byte by byte.
private func variable(_ name: String) -> [UInt8]? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    let length = unsafe strlen(value)
    return (0..<length).map { unsafe UInt8(bitPattern: value[$0]) }
}
