package import Platform

/// The objects of a binary property list.
///
/// The format is that of CFBinaryPList.c: objects, a table of their offsets, and 32 bytes that
/// describe the table. Objects refer to others by their numbers, so nesting and loops cost nothing.
package struct BinaryPropertyList {
    package enum Object {
        case data(Range<Int>)
        /// In ASCII or UTF-16, big-endian.
        case text(Range<Int>, isUTF16: Bool)
        /// The numbers of the keys, then those of the values.
        case dictionary([Int])
    }

    /// The number of objects.
    package let count: Int
    /// The number of the outermost object.
    package let root: Int
    private var octets: OctetsWindow
    /// The octets of the table.
    private var offsets: OctetsWindow
    private let table: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private let keys: Int
    /// The number of bytes that dictionaries may still take: those of a real list do not overlap.
    private var dictionaryBytesLeft: Int

    /// Nil if the octets are not such a list.
    ///
    /// - Parameter keys: The largest dictionary that is examined.
    package init?(_ octets: SpooledBytes, keys: Int) throws(FileError) {
        guard octets.count >= 40 else { return nil }
        let start = octets.count - 32
        var trailer = OctetsWindow(octets)
        guard let offsetSize = try trailer.bigEndian(1, at: start + 6),
            (1...4).contains(offsetSize),
            let referenceSize = try trailer.bigEndian(1, at: start + 7),
            (1...4).contains(referenceSize), try trailer.bigEndian(4, at: start + 8) == 0,
            let count = try trailer.bigEndian(4, at: start + 12),
            let root = try trailer.bigEndian(4, at: start + 20),
            try trailer.bigEndian(4, at: start + 24) == 0,
            let table = try trailer.bigEndian(4, at: start + 28)
        else { return nil }
        self.keys = keys
        self.root = root
        dictionaryBytesLeft = octets.count
        self.octets = OctetsWindow(octets)
        offsets = OctetsWindow(octets)
        self.table = table
        self.offsetSize = offsetSize
        self.referenceSize = referenceSize
        // Two objects have no offset in common.
        self.count = min(
            count, max(0, octets.count - table) / offsetSize, table, 1 << (8 * offsetSize))
    }

    /// An object by its number; nil if it is damaged or of another type.
    package mutating func object(_ index: Int) throws(FileError) -> Object? {
        guard 0..<count ~= index,
            let start = try offsets.bigEndian(offsetSize, at: table + index * offsetSize),
            let marker = try octets.bigEndian(1, at: start)
        else { return nil }
        var contents = start + 1
        var length = marker & 0x0F
        if length == 0x0F {
            // The length is an integer object.
            guard let integer = try octets.bigEndian(1, at: contents), integer & 0xF0 == 0x10,
                integer & 0x0F <= 2,
                let value = try octets.bigEndian(1 << (integer & 0x0F), at: contents + 1)
            else { return nil }
            contents += 1 + 1 << (integer & 0x0F)
            length = value
        }
        let end = octets.octets.count
        switch marker & 0xF0 {
        case 0x40 where length <= end - contents:
            return .data(contents..<contents + length)
        case 0x50 where length <= end - contents:
            return .text(contents..<contents + length, isUTF16: false)
        case 0x60 where length <= (end - contents) / 2:
            return .text(contents..<contents + 2 * length, isUTF16: true)
        case 0xD0 where length <= keys:
            return try dictionary(length, at: contents)
        default:
            return nil
        }
    }

    /// The bytes of a text or of data; the caller bounds them.
    package mutating func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        try octets.bytes(range)
    }

    private mutating func dictionary(
        _ length: Int, at start: Int
    ) throws(FileError) -> Object? {
        dictionaryBytesLeft -= 1 + 2 * length * referenceSize
        guard dictionaryBytesLeft >= 0 else { return nil }
        var references: [Int] = []
        for index in 0..<2 * length {
            let reference = try octets.bigEndian(referenceSize, at: start + index * referenceSize)
            guard let reference else { return nil }
            references.append(reference)
        }
        return .dictionary(references)
    }
}
