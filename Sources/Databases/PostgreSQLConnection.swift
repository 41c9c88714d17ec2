internal import Bytes
internal import CPostgreSQL

/// A connection to a PostgreSQL server, closed with its last reference. Its calls block.
@safe final class PostgreSQLConnection {
    private let handle: OpaquePointer
    /// The names of prepared statements, by the types of their parameters and their text.
    private var prepared: [String: String] = [:]

    /// Connects.
    init(_ address: PostgreSQLAddress) throws(SQLError) {
        // A later value replaces an earlier one. The URI replaces the values before it.
        let parameters = [
            ("connect_timeout", "5"),
            // Detects a lost server within 25 seconds, even while waiting for a result.
            ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"),
            ("fallback_application_name", "passconduit-serve"), ("dbname", address.uri),
            ("client_encoding", "UTF8"),
        ]
        let connection = unsafe withCStrings(parameters.map(\.0)) { keywords in
            unsafe withCStrings(parameters.map(\.1)) { values in
                unsafe PQconnectdbParams(keywords, values, 1)
            }
        }
        guard let connection = unsafe connection else { throw .unavailable("ENOMEM") }
        unsafe handle = unsafe connection
        unsafe postgresql_ignore_notices(connection)
        guard unsafe PQstatus(connection) == CONNECTION_OK else {
            throw .unavailable(unsafe singleLine(PQerrorMessage(connection)))
        }
        // Statements here finish sooner unless another transaction or the disk blocks them.
        try run(script: "SET lock_timeout = '20s'; SET statement_timeout = '30s'")
    }

    deinit {
        unsafe PQfinish(handle)
    }

    private var isLost: Bool { unsafe PQstatus(handle) != CONNECTION_OK }
}

extension PostgreSQLConnection: SQLTransaction {
    var dialect: SQLDialect { .postgreSQL }

    func rows(_ statement: String, _ values: [SQLValue]) throws(SQLError) -> [SQLRow] {
        let name = try prepare(statement, values)
        let parameters = SQLParameters(values)
        let answer = unsafe parameters.withPointers { pointers, lengths, formats in
            unsafe PQexecPrepared(
                handle, name, Int32(values.count), pointers, lengths, formats, 1)
        }
        return try unsafe result(answer).rows
    }

    func run(script: String) throws(SQLError) {
        _ = try unsafe result(PQexec(handle, script))
    }

    func hasTable(_ name: String) throws(SQLError) -> Bool {
        // PostgreSQL folds unquoted names to lower case.
        let found = try rows("SELECT to_regclass($1)::text", [.text(name.lowercased())])
        return found.first?[0] ?? .null != .null
    }

    private func prepare(_ statement: String, _ values: [SQLValue]) throws(SQLError) -> String {
        // A prepared statement has fixed parameter types.
        let key = "\(values.map(\.typeNumber)) \(statement)"
        if let name = prepared[key] { return name }
        let name = "s\(prepared.count)"
        let types = values.map(\.typeNumber)
        _ = try unsafe result(
            PQprepare(handle, name, statement, Int32(types.count), types))
        prepared[key] = name
        return name
    }

    private func result(_ pointer: OpaquePointer?) throws(SQLError) -> PostgreSQLResult {
        guard let pointer = unsafe pointer else {
            throw isLost ? .unavailable(message) : .failed(message)
        }
        let result = unsafe PostgreSQLResult(pointer)
        guard let failure = result.failure else { return result }
        if isLost { throw .unavailable(failure.message) }
        // PostgreSQL manual, appendix A.
        switch failure.state {
        // An error of libpq itself: the connection was lost.
        case "": throw .unavailable(failure.message)
        case "55P03", "57014": throw .locked
        case "40001", "40P01": throw .conflict
        case "53100": throw .noSpace
        // The server became a standby.
        case "25006": throw .unavailable(failure.message)
        case let state where state.hasPrefix("57P"), let state where state.hasPrefix("08"):
            throw .unavailable(failure.message)
        default: throw .failed(failure.message)
        }
    }

    private var message: String { unsafe singleLine(PQerrorMessage(handle)) }
}

/// A result, freed with its last reference.
@safe private final class PostgreSQLResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe PQclear(handle)
    }

    /// Nil if the statement succeeded.
    var failure: (state: String, message: String)? {
        let status = unsafe PQresultStatus(handle)
        guard ![PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY].contains(status) else {
            return nil
        }
        let whole = unsafe singleLine(PQresultErrorMessage(handle))
        return (field("C") ?? "", field("M") ?? whole)
    }

    /// PostgreSQL manual, section 34.3.2.
    private func field(_ code: Character) -> String? {
        let number = Int32(code.asciiValue ?? 0)
        guard let text = unsafe PQresultErrorField(handle, number) else { return nil }
        return unsafe singleLine(text)
    }

    var rows: [SQLRow] {
        let columns = unsafe 0..<PQnfields(handle)
        return unsafe (0..<PQntuples(handle)).map { row in
            SQLRow(columns.map { value(row, $0) })
        }
    }

    /// A value in binary form.
    private func value(_ row: Int32, _ column: Int32) -> SQLValue {
        guard unsafe PQgetisnull(handle, row, column) == 0,
            let start = unsafe PQgetvalue(handle, row, column)
        else { return .null }
        let count = unsafe Int(PQgetlength(handle, row, column))
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
        switch unsafe PQftype(handle, column) {
        case ObjectNumber.bool, ObjectNumber.int2, ObjectNumber.int4, ObjectNumber.int8:
            let isNegative = count > 1 && bytes[0] >= 0x80
            return .integer(
                bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) })
        case ObjectNumber.bytea: return .bytes(bytes)
        default: return .text(String(streamSafe: bytes))
        }
    }
}

/// Type numbers from `pg_type.dat` in the PostgreSQL sources.
private enum ObjectNumber {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
}

extension SQLValue {
    fileprivate var typeNumber: Oid {
        switch self {
        case .null: 0
        case .integer: ObjectNumber.int8
        case .text: ObjectNumber.text
        case .bytes: ObjectNumber.bytea
        }
    }
}

/// Parameters in binary form, one after another.
private struct SQLParameters {
    private var bytes: [UInt8] = []
    private var starts: [Int?] = []
    private var lengths: [Int32] = []

    init(_ values: [SQLValue]) {
        for value in values {
            starts.append(value == .null ? nil : bytes.count)
            let start = bytes.count
            switch value {
            case .null: break
            case .integer(let number):
                let bits = UInt64(bitPattern: number)
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
            case .text(let text): bytes += text.utf8
            case .bytes(let octets): bytes += octets
            }
            lengths.append(Int32(clamping: bytes.count - start))
        }
        // libpq treats an empty value as NULL if its pointer is null.
        bytes.append(0)
    }

    func withPointers<Result>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>
        ) -> Result?
    ) -> Result? {
        unsafe bytes.withUnsafeBytes { buffer in
            let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            // At least one byte, so that the buffer has an address.
            let pointers =
                unsafe starts.map { start in
                    unsafe start.flatMap { start in unsafe base?.advanced(by: start) }
                } + [nil]
            let formats = [Int32](repeating: 1, count: starts.count + 1)
            let lengths = lengths + [0]
            return unsafe pointers.withUnsafeBufferPointer { pointers in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        guard let first = pointers.baseAddress,
                            let second = lengths.baseAddress,
                            let third = formats.baseAddress
                        else { return nil }
                        return unsafe body(first, second, third)
                    }
                }
            }
        }
    }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result?
) -> Result? {
    let bytes = texts.map { Array($0.utf8CString) }
    var all: [CChar] = []
    var starts: [Int] = []
    for each in bytes {
        starts.append(all.count)
        all += each
    }
    return unsafe all.withUnsafeBufferPointer { buffer in
        let base = buffer.baseAddress
        let pointers = unsafe starts.map { start in unsafe base?.advanced(by: start) } + [nil]
        return unsafe pointers.withUnsafeBufferPointer { pointers in
            unsafe pointers.baseAddress.flatMap { first in unsafe body(first) }
        }
    }
}
