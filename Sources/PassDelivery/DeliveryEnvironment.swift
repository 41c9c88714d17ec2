import Bytes
import Glibc
import MailSource

/// The environment variables in use.
struct DeliveryEnvironment {
    /// Folders for large messages while they are searched.
    let temporaryFolders: [String]
    /// The default spool folder; nil without a home directory.
    let spoolFolder: Path?

    init() {
        let own = variable("TMPDIR").map { [String(decoding: $0, as: UTF8.self)] } ?? []
        temporaryFolders = own + SpoolPolicy().directories
        // The XDG Base Directory Specification says to ignore relative paths.
        let state = variable("XDG_STATE_HOME").flatMap { $0.first == UInt8(ascii: "/") ? $0 : nil }
        let base = state ?? variable("HOME").map { $0 + Array("/.local/state".utf8) }
        spoolFolder = base.map { Path($0 + Array("/passconduit/spool".utf8)) }
    }
}

/// A variable as raw bytes; nil if unset or empty.
private func variable(_ name: String) -> [UInt8]? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    let length = unsafe strlen(value)
    return (0..<length).map { unsafe UInt8(bitPattern: value[$0]) }
}
