package import Bytes
package import MIME
package import MailSource
package import Platform

/// The files in a binary property list, as Safari's .webarchive: the resources of a page, with
/// their media types and URLs, and other data objects.
///
/// The format is that of CFBinaryPList.c: objects, a table of their offsets, and 32 bytes that
/// describe the table. All objects are examined in the order of the table, so nesting and loops
/// cost nothing: first the resources, since data alone has no name, then all data.
package struct PropertyListFile {
    /// Whether all files were returned.
    package var isOver: Bool { next >= 2 * (list?.count ?? 0) }

    private let octets: SpooledBytes
    private let isWanted: (PartHeader, ContentKind) -> Bool
    private var list: PropertyList?
    /// The number of objects examined; each is examined twice.
    private var next = 0
    /// A bit for each object that is the data of a resource.
    private var taken: [UInt64]

    /// The number of objects that one step examines.
    private static let step = 1000

    /// - Parameter isWanted: Whether a file with this header and kind is returned.
    package init(
        _ octets: SpooledBytes, isWanted: @escaping (PartHeader, ContentKind) -> Bool
    ) throws(FileError) {
        self.octets = octets
        self.isWanted = isWanted
        list = try PropertyList(octets)
        taken = Array(repeating: 0, count: (list?.count ?? 0) / 64 + 1)
    }

    /// Reads on; nil if this step found no file.
    package mutating func takeNext() throws(FileError) -> EncodedFile? {
        let end = next + PropertyListFile.step
        while !isOver, next < end {
            defer { next += 1 }
            guard let (header, data) = try file(at: next) else { continue }
            // Data may overlap, so that only its beginning is read.
            let start = try octets.array(data.prefix(ContentHead.length))
            guard isWanted(header, ContentKind(start.span)) else { continue }
            return EncodedFile(header, octets.slice(data), .identity)
        }
        return nil
    }

    /// Calls `take` with each text of a list in UTF-8, as the URL in Safari's .webloc; with the
    /// beginning of long ones. Nothing is read if the octets are not such a list.
    package static func readTexts(
        _ octets: SpooledBytes, _ take: (Span<UInt8>) -> Void
    ) throws(FileError) {
        guard var list = try PropertyList(octets) else { return }
        // Texts of a real list do not overlap.
        var bytesLeft = octets.count
        for index in 0..<list.count where bytesLeft > 0 {
            guard let text = try list.text(at: index, limit: min(longestText, bytesLeft)) else {
                continue
            }
            bytesLeft -= text.utf8.count
            take(Array("\(text)\n".utf8).span)
        }
    }

    /// The longest text that is read, in bytes: that of a URL.
    private static let longestText = 64 << 10

    private mutating func file(at place: Int) throws(FileError) -> (PartHeader, Range<Int>)? {
        guard let count = list?.count else { return nil }
        if place < count {
            guard let resource = try list?.resource(place) else { return nil }
            let bit = UInt64(1) << (resource.index % 64)
            guard taken[resource.index / 64] & bit == 0 else { return nil }
            taken[resource.index / 64] |= bit
            return (resource.header, resource.data)
        }
        let index = place - count
        guard taken[index / 64] & 1 << (index % 64) == 0,
            case .data(let data)? = try list?.object(index)
        else { return nil }
        return (PartHeader(names: []), data)
    }
}

/// The objects of a binary property list.
struct PropertyList {
    enum Object {
        case data(Range<Int>)
        case text(Range<Int>, isUTF16: Bool)
        /// The numbers of the keys, then those of the values.
        case dictionary([Int])
    }

    /// The data of a resource, and the number of its object.
    struct Resource {
        let index: Int
        let data: Range<Int>
        let header: PartHeader
    }

    let count: Int
    private var octets: OctetsWindow
    /// The octets of the table.
    private var offsets: OctetsWindow
    private let table: Int
    private let offsetSize: Int
    private let referenceSize: Int

    /// The largest dictionary that is examined: that of a resource has at most 6 keys.
    private static let keys = 16
    /// The number of bytes that dictionaries may still take: those of a real list do not overlap.
    private var dictionaryBytesLeft: Int

    /// Nil if the octets are not such a list.
    init?(_ octets: SpooledBytes) throws(FileError) {
        guard octets.count >= 40 else { return nil }
        let trailer = BigEndian(try octets.array(octets.count - 32..<octets.count))
        guard let offsetSize = trailer.number(1, at: 6), (1...4).contains(offsetSize),
            let referenceSize = trailer.number(1, at: 7), (1...4).contains(referenceSize),
            trailer.number(4, at: 8) == 0, let count = trailer.number(4, at: 12),
            trailer.number(4, at: 24) == 0, let table = trailer.number(4, at: 28)
        else { return nil }
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
    mutating func object(_ index: Int) throws(FileError) -> Object? {
        guard index < count,
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
        case 0xD0 where length <= PropertyList.keys:
            dictionaryBytesLeft -= 1 + 2 * length * referenceSize
            guard dictionaryBytesLeft >= 0 else { return nil }
            let bytes = BigEndian(try octets.bytes(contents..<contents + 32 * referenceSize))
            let references = (0..<2 * length).compactMap {
                bytes.number(referenceSize, at: $0 * referenceSize)
            }
            return references.count == 2 * length ? .dictionary(references) : nil
        default:
            return nil
        }
    }

    /// The resource of a web archive that a dictionary describes.
    mutating func resource(_ index: Int) throws(FileError) -> Resource? {
        guard case .dictionary(let references)? = try object(index) else { return nil }
        let count = references.count / 2
        var data: (index: Int, octets: Range<Int>)?
        var names: [String] = []
        var types: [String] = []
        for (key, value) in zip(references[..<count], references[count...]) {
            switch try text(at: key, limit: 32) {
            case "WebResourceData":
                if case .data(let range)? = try object(value) { data = (value, range) }
            case "WebResourceMIMEType" where types.isEmpty:
                if let type = try text(at: value) { types.append(type.asciiLowercased) }
            case "WebResourceURL" where names.isEmpty:
                if let name = try text(at: value).flatMap(PartHeader.lastComponent(ofURL:)) {
                    names.append(name)
                }
            default: break
            }
        }
        return data.map {
            Resource(
                index: $0.index, data: $0.octets,
                header: PartHeader(names: names, mediaTypes: types))
        }
    }

    /// The beginning of a text: enough for names and URLs.
    mutating func text(at index: Int, limit: Int = 4096) throws(FileError) -> String? {
        guard case .text(let range, let isUTF16)? = try object(index) else { return nil }
        let bytes = try octets.bytes(range.prefix(limit))
        return isUTF16 ? Charset.decode(bytes, "utf-16be") : Charset.guess(bytes)
    }
}

extension PartHeader {
    /// The file name in the path of a URL.
    static func lastComponent(ofURL url: String) -> String? {
        let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return PartHeader.fileName(String(streamSafe: Array(path)))
    }
}
