package import Bytes
package import MIME
package import MailSource
package import Platform

/// The files in a binary property list, as Safari's .webarchive: the resources of a page, with
/// their media types and URLs, and other data objects.
///
/// All objects are examined in the order of the table, so nesting and loops
/// cost nothing: first the resources, since data alone has no name, then all data.
package struct PropertyListFile {
    /// Whether all files were returned.
    package var isOver: Bool { next >= 2 * (list?.count ?? 0) }

    private let octets: SpooledBytes
    private let isWanted: (PartHeader, ContentKind) -> Bool
    private var list: BinaryPropertyList?
    /// The number of objects examined; each is examined twice.
    private var next = 0
    /// A bit for each object that is the data of a resource.
    private var taken: [UInt64]

    /// The largest dictionary that is examined: that of a resource has at most 6 keys.
    private static let keys = 16
    /// The number of objects that one step examines.
    private static let step = 1000

    /// - Parameter isWanted: Whether a file with this header and kind is returned.
    package init(
        _ octets: SpooledBytes, isWanted: @escaping (PartHeader, ContentKind) -> Bool
    ) throws(FileError) {
        self.octets = octets
        self.isWanted = isWanted
        list = try BinaryPropertyList(octets, keys: PropertyListFile.keys)
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
        guard var list = try BinaryPropertyList(octets, keys: PropertyListFile.keys) else { return }
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

extension BinaryPropertyList {
    /// The data of a resource, and the number of its object.
    fileprivate struct Resource {
        let index: Int
        let data: Range<Int>
        let header: PartHeader
    }

    /// The resource of a web archive that a dictionary describes.
    fileprivate mutating func resource(_ index: Int) throws(FileError) -> Resource? {
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
    fileprivate mutating func text(at index: Int, limit: Int = 4096) throws(FileError) -> String? {
        guard case .text(let range, let isUTF16)? = try object(index) else { return nil }
        let bytes = try bytes(range.prefix(limit))
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
