internal import Bytes
internal import CPostgreSQL

/// The address of a PostgreSQL database: a connection URI without a password, such as
/// `postgresql://passes@db.example/passes?sslmode=verify-full`.
///
/// Passwords are read from `~/.pgpass` or `$PGPASSFILE` by libpq, which ignores a file that other
/// users can read.
package struct PostgreSQLAddress: Sendable, Hashable, CustomStringConvertible {
    let uri: String

    package var description: String { uri }

    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    package init(_ text: String) throws(SQLError) {
        // The message repeats parts of the address.
        guard let options = unsafe PQconninfoParse(text, nil) else { throw .invalidAddress }
        defer { unsafe PQconninfoFree(options) }
        var option = unsafe options
        while unsafe option.pointee.keyword != nil {
            // libpq marks secret options in `dispchar` (libpq-fe.h).
            let isSecret =
                unsafe option.pointee.dispchar?.pointee == CChar(bitPattern: UInt8(ascii: "*"))
            if isSecret, unsafe option.pointee.val != nil { throw .passwordInAddress }
            unsafe option += 1
        }
        uri = text
    }
}

/// A message from libpq, which may span several lines, on one line.
func singleLine(_ message: UnsafePointer<CChar>) -> String {
    let lines = unsafe String(cString: message).streamSafe.split(separator: "\n")
    return lines.map { $0.trimmingSpaces }.joined(separator: "; ")
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...end]
    }
}
