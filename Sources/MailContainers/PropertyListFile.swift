package import Bytes
package import MIME
package import MailSource
package import Platform

/// The files in a binary property list, as Safari's .webarchive: the resources of a page, with
/// their media types and URLs, and other data objects.
///
/// The format is that of CFBinaryPList.c: objects, a table of their offsets, and 32 bytes that
/// describe the table. All objects are examined in the order of the table, so nesting and loops
/// cost nothing.
package struct PropertyListFile: Sendable {
    package let files: [EncodedFile]

    /// One more than the members that may be opened, so that the excess is reported.
    private static let limit = 10_001

    /// - Parameter isWanted: Whether a file with this header and kind is returned.
    package init(
        _ octets: SpooledBytes, isWanted: (PartHeader, ContentKind) -> Bool
    ) throws(FileError) {
        guard let list = try PropertyList(octets) else {
            files = []
            return
        }
        var files: [EncodedFile] = []
        var taken: Set<Int> = []
        func take(_ data: Range<Int>, _ header: PartHeader) throws(FileError) {
            guard taken.insert(data.lowerBound).inserted else { return }
            let file = EncodedFile(header, octets.slice(data), .identity)
            if isWanted(header, try file.kind()) { files.append(file) }
        }
        // The resources first, since data alone has no name.
        for index in 0..<list.count where files.count < PropertyListFile.limit {
            guard let resource = try list.resource(index) else { continue }
            try take(resource.data, resource.header)
        }
        for index in 0..<list.count where files.count < PropertyListFile.limit {
            guard case .data(let data)? = try list.object(index) else { continue }
            try take(data, PartHeader(names: []))
        }
        self.files = files
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

    let count: Int
    private let octets: SpooledBytes
    private let table: Int
    private let offsetSize: Int
    private let referenceSize: Int

    /// The largest number of objects that are examined.
    private static let limit = 100_000
    /// The largest dictionary that is examined: that of a resource has at most 6 keys.
    private static let keys = 16

    /// Nil if the octets are not such a list.
    init?(_ octets: SpooledBytes) throws(FileError) {
        guard octets.count >= 40 else { return nil }
        let trailer = BigEndian(try octets.array(octets.count - 32..<octets.count))
        guard let offsetSize = trailer.number(1, at: 6), (1...4).contains(offsetSize),
            let referenceSize = trailer.number(1, at: 7), (1...4).contains(referenceSize),
            trailer.number(4, at: 8) == 0, let count = trailer.number(4, at: 12),
            trailer.number(4, at: 24) == 0, let table = trailer.number(4, at: 28)
        else { return nil }
        self.octets = octets
        self.table = table
        self.offsetSize = offsetSize
        self.referenceSize = referenceSize
        self.count = min(count, max(0, octets.count - table) / offsetSize, PropertyList.limit)
    }

    /// An object by its number; nil if it is damaged or of another type.
    func object(_ index: Int) throws(FileError) -> Object? {
        guard index < count,
            let start = try number(offsetSize, at: table + index * offsetSize),
            let marker = try number(1, at: start)
        else { return nil }
        var contents = start + 1
        var length = marker & 0x0F
        if length == 0x0F {
            // The length is an integer object.
            guard let integer = try number(1, at: contents), integer & 0xF0 == 0x10,
                integer & 0x0F <= 2,
                let value = try number(1 << (integer & 0x0F), at: contents + 1)
            else { return nil }
            contents += 1 + 1 << (integer & 0x0F)
            length = value
        }
        switch marker & 0xF0 {
        case 0x40 where length <= octets.count - contents:
            return .data(contents..<contents + length)
        case 0x50 where length <= octets.count - contents:
            return .text(contents..<contents + length, isUTF16: false)
        case 0x60 where length <= (octets.count - contents) / 2:
            return .text(contents..<contents + 2 * length, isUTF16: true)
        case 0xD0 where length <= PropertyList.keys:
            let bytes = BigEndian(try octets.array(contents..<contents + 32 * referenceSize))
            let references = (0..<2 * length).compactMap {
                bytes.number(referenceSize, at: $0 * referenceSize)
            }
            return references.count == 2 * length ? .dictionary(references) : nil
        default:
            return nil
        }
    }

    /// The resource of a web archive that a dictionary describes.
    func resource(_ index: Int) throws(FileError) -> (data: Range<Int>, header: PartHeader)? {
        guard case .dictionary(let references)? = try object(index) else { return nil }
        let count = references.count / 2
        var data: Range<Int>?
        var names: [String] = []
        var types: [String] = []
        for (key, value) in zip(references[..<count], references[count...]) {
            switch try text(key) {
            case "WebResourceData":
                if case .data(let range)? = try object(value) { data = range }
            case "WebResourceMIMEType":
                if let type = try text(value) { types.append(type.lowercased()) }
            case "WebResourceURL":
                if let name = try text(value).flatMap(PartHeader.lastComponent(ofURL:)) {
                    names.append(name)
                }
            default: break
            }
        }
        return data.map { ($0, PartHeader(names: names, mediaTypes: types)) }
    }

    /// The beginning of a text: enough for names and URLs.
    private func text(_ index: Int) throws(FileError) -> String? {
        guard case .text(let range, let isUTF16)? = try object(index) else { return nil }
        let bytes = try octets.array(range.prefix(4096))
        return isUTF16 ? Charset.decode(bytes, "utf-16be") : Charset.guess(bytes)
    }

    private func number(_ width: Int, at offset: Int) throws(FileError) -> Int? {
        guard offset >= 0, offset <= octets.count - width else { return nil }
        return BigEndian(try octets.array(offset..<offset + width)).number(width, at: 0)
    }
}

extension PartHeader {
    /// The file name in the path of a URL.
    static func lastComponent(ofURL url: String) -> String? {
        let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return PartHeader.fileName(String(streamSafe: Array(path)))
    }
}
