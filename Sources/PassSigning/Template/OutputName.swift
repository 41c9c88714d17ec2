internal import Bytes

/// The pattern of the names of the passes' files, such as `{{serialNumber}}.pkpass`.
///
/// `{{serialNumber}}` is the serial number in pass.json; other placeholders name columns. In a
/// value, every character but letters, digits, spaces and `-_.,+=@()` is percent-encoded, so that
/// different values give different names. A dot or hyphen at the beginning is encoded as well, so
/// that no file is hidden, and no program takes it for an option.
///
/// ```swift
/// let pattern = try OutputName("{{section}}-{{serialNumber}}.pkpass")
/// let name = try pattern.name(for: row, serialNumber: "42")  // "A-42.pkpass"
/// ```
public struct OutputName: Sendable {
    /// The columns that the placeholders name, apart from `serialNumber`.
    public let columns: TemplateColumns
    private let pieces: [Piece]

    private enum Piece: Sendable {
        case text([UInt8])
        case column(Int)
        case serialNumber
    }

    /// The longest name, in bytes. Linux allows 255, of which the file takes some until it is
    /// complete.
    public static let limit = 200

    /// The serial number.
    public static let serialNumber = OutputName([.serialNumber, .text(Array(".pkpass".utf8))])

    private init(_ pieces: [Piece]) {
        self.pieces = pieces
        columns = TemplateColumns()
    }

    /// Reads a pattern.
    ///
    /// For example: `let name = try OutputName("{{lastName}}-{{serialNumber}}.pkpass")`
    ///
    /// - Throws: ``OutputNameError`` if it has no placeholder, or a character that a name must not
    ///   have.
    public init(_ pattern: String) throws(OutputNameError) {
        let bytes = Array(pattern.utf8)
        var columns = TemplateColumns()
        var pieces: [Piece] = []
        var start = 0
        do throws(PlaceholderError) {
            for name in try Placeholder.ranges(in: bytes.span, 0..<bytes.count) {
                let placeholder = try Placeholder(Array(bytes[name]))
                guard placeholder.kind == .text else {
                    throw PlaceholderError(.kindInText(placeholder.column))
                }
                pieces.append(.text(Array(bytes[start..<name.lowerBound - 2])))
                pieces.append(
                    placeholder.column == "serialNumber"
                        ? .serialNumber : .column(columns.index(of: placeholder)))
                start = name.upperBound + 2
            }
        } catch {
            throw .placeholder(error.fault)
        }
        guard start > 0 else { throw .noPlaceholder }
        pieces.append(.text(Array(bytes[start...])))
        for case .text(let text) in pieces {
            guard !text.contains(UInt8(ascii: "/")) else { throw .slash }
            guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .controlCharacter }
        }
        guard bytes.first != UInt8(ascii: ".") else { throw .leadingDot }
        self.pieces = pieces
        self.columns = columns
    }

    /// The name of the file of a row's pass.
    ///
    /// For example: `let name = try OutputName.serialNumber.name(for: row, serialNumber: "A-17")`
    ///
    /// - Throws: ``RowFault`` if a value is missing, or the name is empty or too long.
    public func name(for row: TemplateRow, serialNumber: String) throws(RowFault) -> String {
        let values = try columns.values(of: row)
        var name: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let text): name += text
            case .column(let column): if let value = values[column] { addEncoded(value, to: &name) }
            case .serialNumber: addEncoded(serialNumber.utf8, to: &name)
            }
        }
        if let first = name.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "-") {
            name.replaceSubrange(..<1, with: [UInt8(ascii: "%")] + hexadecimal(first))
        }
        guard !name.isEmpty else { throw .noName }
        guard name.count <= Self.limit else { throw .nameTooLong(limit: Self.limit) }
        return String(streamSafe: name)
    }
}

/// Why a text is not a pattern for the names of files.
///
/// ```swift
/// do {
///     _ = try OutputName("tickets/{{seat}}.pkpass")
/// } catch OutputNameError.slash { print("name the file, not its folder") }
/// ```
public enum OutputNameError: Error, Sendable, Hashable {
    /// All passes would have the same name.
    case noPlaceholder
    /// A placeholder is malformed.
    case placeholder(PlaceholderFault)
    /// A name contains no slash.
    case slash
    /// A name contains no control characters.
    case controlCharacter
    /// A name that begins with a dot is hidden.
    case leadingDot
}

/// Adds a value with all but safe characters percent-encoded.
private func addEncoded(_ value: some Sequence<UInt8>, to name: inout [UInt8]) {
    for scalar in String(streamSafe: Array(value)).unicodeScalars {
        let bytes = Array(String(scalar).utf8)
        if isSafe(scalar) {
            name += bytes
        } else {
            for byte in bytes {
                name.append(UInt8(ascii: "%"))
                name += hexadecimal(byte)
            }
        }
    }
}

/// Whether a character may be in a file name as it is. Combining marks may not: two names could then
/// look the same.
private func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
        return scalar.properties.isAlphabetic || "0"..."9" ~= scalar
            || " -_.,+=@()".unicodeScalars.contains(scalar)
    }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter,
        .decimalNumber:
        true
    default: false
    }
}
