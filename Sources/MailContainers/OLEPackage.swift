import Bytes
import MIME
import Platform

/// A file embedded as an object of the class `Package`, as Windows writes it: two bytes, the label
/// and the path of the file, four bytes, the length and the text of a temporary path, and the
/// length and the bytes of the file. The format is undocumented.
struct OLEPackage {
    let header: PartHeader
    let file: SpooledBytes

    /// The name of the stream that holds a package in a compound file ([MS-OLEDS], 2.3.6).
    static let streamName = "\u{1}Ole10Native"
    /// The limit for the label and each path, in bytes.
    private static let longestName = 4096

    /// The package in such a stream, after its length; nil if it is something else or damaged.
    init?(native octets: SpooledBytes) throws(FileError) {
        var window = OctetsWindow(octets)
        self.init(try OLEPackage.read(&window, at: 4, octets))
    }

    /// The package in the data of an object in RTF ([MS-OLEDS], 2.2.5): version, kind, class, two
    /// names, and the length of the data.
    init?(object octets: SpooledBytes) throws(FileError) {
        var window = OctetsWindow(octets)
        guard let place = try OLEPackage.data(of: &window, octets.count) else { return nil }
        self.init(try OLEPackage.read(&window, at: place, octets))
    }

    /// Whether the data of an object in RTF says that it is a package.
    static func isPackage(object octets: SpooledBytes) throws(FileError) -> Bool {
        var window = OctetsWindow(octets)
        return try data(of: &window, octets.count) != nil
    }

    private init?(_ found: (names: [String], file: SpooledBytes)?) {
        guard let found else { return nil }
        header = PartHeader(names: found.names)
        file = found.file
    }

    /// The place of the data of an embedded package.
    private static func data(
        of window: inout OctetsWindow, _ end: Int
    ) throws(FileError) -> Int? {
        guard try window.littleEndian(4, at: 4, before: end) == 2 else { return nil }
        var place = 8
        for index in 0..<3 {
            guard let length = try window.littleEndian(4, at: place, before: end),
                length <= longestName, place + 4 + length <= end
            else { return nil }
            if index == 0 {
                let name = try window.bytes(place + 4..<place + 4 + length)
                guard name.prefix(while: { $0 != 0 }).elementsEqual("Package".utf8) else {
                    return nil
                }
            }
            place += 4 + length
        }
        return place + 4
    }

    private static func read(
        _ window: inout OctetsWindow, at start: Int, _ octets: SpooledBytes
    ) throws(FileError) -> (names: [String], file: SpooledBytes)? {
        var place = start + 2
        var names: [String] = []
        for _ in 0..<2 {
            guard place < octets.count else { return nil }
            let bytes = try window.bytes(place..<min(place + longestName, octets.count))
            guard let length = bytes.firstIndex(of: 0) else { return nil }
            place += length + 1
            let name = PartHeader.fileName(Charset.guess(Array(bytes[..<length])))
            if let name, !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        guard let temporary = try window.littleEndian(4, at: place + 4, before: octets.count),
            let count = try window.littleEndian(4, at: place + 8 + temporary, before: octets.count),
            count <= octets.count - (place + 12 + temporary)
        else { return nil }
        let file = place + 12 + temporary
        return (names, octets.slice(file..<file + count))
    }
}
