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
        let home = variable("HOME") ?? homeOfUser()
        let base = state ?? home.map { $0 + Array("/.local/state".utf8) }
        spoolFolder = base.map { Path($0 + Array("/passconduit/spool".utf8)) }
    }
}

/// A variable as raw bytes; nil if unset or empty.
private func variable(_ name: String) -> [UInt8]? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe bytes(of: value)
}

/// The home folder in /etc/passwd. A static program cannot ask other user databases, for which the C
/// library loads shared libraries.
private func homeOfUser() -> [UInt8]? {
    guard let file = unsafe fopen("/etc/passwd", "re") else { return nil }
    defer { unsafe fclose(file) }
    while let entry = unsafe fgetpwent(file)?.pointee {
        if unsafe entry.pw_uid == getuid() { return unsafe bytes(of: entry.pw_dir) }
    }
    return nil
}

/// The bytes of a C string; nil if there are none.
private func bytes(of text: UnsafePointer<CChar>) -> [UInt8]? {
    let length = unsafe strlen(text)
    return length == 0 ? nil : (0..<length).map { unsafe UInt8(bitPattern: text[$0]) }
}
