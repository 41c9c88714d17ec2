import Bytes
import Platform

/// A sequence of MAPI properties ([MS-OXTNEF], 2.1.3.4).
struct MAPIProperties {
    /// The number of values read, over all properties.
    private(set) var valueCount = 0
    /// Whether the list is shorter than announced, or contains a type of unknown length.
    private(set) var isDamaged = false
    private(set) var exceedsLimit = false
    private var position: Int
    private let end: Int
    private var announced: Int
    private let limit: Int

    struct Property {
        let id: Int
        /// The type of a single value.
        let type: Int
        /// The first value, as far as it is present.
        let value: Range<Int>
        /// Its size as announced, in bytes.
        let size: Int

        /// Whether the list ends within the value.
        var isCut: Bool { value.count < size }
    }

    /// Reads at most `limit` values from the range.
    init(
        _ range: Range<Int>, limit: Int, _ window: inout OctetsWindow
    ) throws(FileError) {
        position = range.lowerBound + 4
        end = range.upperBound
        self.limit = limit
        let count = try window.littleEndian(4, at: range.lowerBound, before: range.upperBound)
        announced = count ?? 0
        // An empty list is valid.
        isDamaged = count == nil && !range.isEmpty
    }

    /// The number of bytes that were not read.
    var rest: Int { max(end - position, 0) }

    mutating func next(_ window: inout OctetsWindow) throws(FileError) -> Property? {
        guard announced > 0, !isDamaged, hasRoom() else { return nil }
        announced -= 1
        guard let type = try window.littleEndian(2, at: position, before: end),
            let id = try window.littleEndian(2, at: position + 2, before: end)
        else { return damaged() }
        position += 4
        if id >= 0x8000, try !skipName(&window) { return damaged() }
        let isMultiple = type & MAPIProperties.multiple != 0
        let single = type & ~MAPIProperties.multiple
        if MAPIProperties.isVariable(single) { return try variable(id, single, &window) }
        guard let width = MAPIProperties.width(of: single) else { return damaged() }
        return try fixed(id, single, width, isMultiple, &window)
    }

    /// Skips the GUID, and the number or string, of a named property.
    private mutating func skipName(_ window: inout OctetsWindow) throws(FileError) -> Bool {
        switch try window.littleEndian(4, at: position + 16, before: end) {
        case 0:
            position += 24
        case 1:
            guard let length = try window.littleEndian(4, at: position + 20, before: end) else {
                return false
            }
            position += 24 + MAPIProperties.padded(length)
        default:
            return false
        }
        return position <= end
    }

    /// Reads values of a fixed length; a single value has no count.
    private mutating func fixed(
        _ id: Int, _ type: Int, _ width: Int, _ isMultiple: Bool, _ window: inout OctetsWindow
    ) throws(FileError) -> Property? {
        var count = 1
        if isMultiple {
            guard let announced = try window.littleEndian(4, at: position, before: end) else {
                return damaged()
            }
            count = announced
            position += 4
        }
        guard count * width <= end - position else { return damaged() }
        let value = position..<position + min(count, 1) * width
        position += count * width
        valueCount += 1
        return Property(id: id, type: type, value: value, size: value.count)
    }

    /// Reads values with a length prefix and padding; they have a count even if there is only one.
    private mutating func variable(
        _ id: Int, _ type: Int, _ window: inout OctetsWindow
    ) throws(FileError) -> Property? {
        guard let count = try window.littleEndian(4, at: position, before: end) else {
            return damaged()
        }
        position += 4
        var property = Property(id: id, type: type, value: position..<position, size: 0)
        for index in 0..<count {
            guard hasRoom() else { break }
            guard let length = try window.littleEndian(4, at: position, before: end) else {
                isDamaged = true
                return index == 0 ? nil : property
            }
            position += 4
            valueCount += 1
            let isCut = length > end - position
            if index == 0 {
                property = Property(
                    id: id, type: type, value: position..<min(position + length, end),
                    size: length)
            }
            if isCut {
                isDamaged = true
                position = end
                return property
            }
            position = min(position + MAPIProperties.padded(length), end)
        }
        return property
    }

    private mutating func hasRoom() -> Bool {
        exceedsLimit = exceedsLimit || valueCount >= limit
        return !exceedsLimit
    }

    private mutating func damaged() -> Property? {
        isDamaged = true
        return nil
    }

    /// The flag of multiple-value types.
    private static let multiple = 0x1000

    private static func padded(_ length: Int) -> Int { (length + 3) / 4 * 4 }

    /// Whether values have a length prefix.
    private static func isVariable(_ type: Int) -> Bool {
        switch type {
        case Property.object, Property.string8, Property.unicode, Property.binary: true
        default: false
        }
    }

    /// The size of a value without a length prefix, padding included, in bytes.
    private static func width(of type: Int) -> Int? {
        switch type {
        // PtypUnspecified, PtypNull.
        case 0x0000, 0x0001: 0
        // PtypInteger16, PtypInteger32, PtypFloating32, PtypErrorCode, PtypBoolean; each is padded,
        // also in a multiple value.
        case 0x0002, 0x0003, 0x0004, 0x000A, 0x000B: 4
        // PtypFloating64, PtypCurrency, PtypFloatingTime, PtypInteger64, PtypTime.
        case 0x0005, 0x0006, 0x0007, 0x0014, 0x0040: 8
        // PtypGuid.
        case 0x0048: 16
        default: nil
        }
    }
}

/// Types of [MS-OXCDATA], 2.11.1, and properties of [MS-OXCMSG], 2.2.2.
extension MAPIProperties.Property {
    static let object = 0x000D
    static let string8 = 0x001E
    static let unicode = 0x001F
    static let binary = 0x0102

    /// PR_BODY.
    static let body = 0x1000
    /// PR_RTF_COMPRESSED.
    static let compressedRTF = 0x1009
    /// PR_HTML and PR_BODY_HTML.
    static let html = 0x1013
    /// PR_DISPLAY_NAME, PidTagDisplayName.
    static let displayName = 0x3001
    /// PR_ATTACH_DATA_BIN and PR_ATTACH_DATA_OBJ.
    static let attachData = 0x3701
    /// PR_ATTACH_FILENAME, the 8.3 file name.
    static let attachFileName = 0x3704
    /// PR_ATTACH_LONG_FILENAME.
    static let attachLongFileName = 0x3707
    /// PR_ATTACH_TRANSPORT_NAME.
    static let attachTransportName = 0x370C
    /// PR_ATTACH_MIME_TAG.
    static let attachMIMETag = 0x370E
    /// PR_INTERNET_CPID, the code page of PR_HTML.
    static let internetCodePage = 0x3FDE
}
