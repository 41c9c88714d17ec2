import Bytes

/// The attributes of a TNEF stream, one after the other ([MS-OXTNEF], 2.1.3.2).
///
/// Their checksums are not compared: some writers leave them out, and what is damaged shows in the
/// pass itself, which is verified.
struct TNEFAttributes {
    /// Nil as long as there are more.
    private(set) var end: End?
    private var position: Int

    enum End { case whole, cut, damaged }

    struct Attribute {
        let id: Int
        /// What there is of the data.
        let data: Range<Int>
        /// Whether the stream ends before the attribute does.
        let isCut: Bool
    }

    /// The attributes behind the signature and the legacy key, or nil where there is no signature.
    init?(_ window: inout OctetsWindow) throws(FileError) {
        guard try TNEFAttributes.isSignature(at: 0..<window.octets.count, &window) else {
            return nil
        }
        position = 6
    }

    /// Whether a stream begins at the beginning of a range.
    static func isSignature(
        at range: Range<Int>, _ window: inout OctetsWindow
    ) throws(FileError) -> Bool {
        try window.littleEndian(4, at: range.lowerBound, before: range.upperBound) == 0x223E_9F78
    }

    mutating func next(_ window: inout OctetsWindow) throws(FileError) -> Attribute? {
        let count = window.octets.count
        guard end == nil else { return nil }
        guard let level = try window.littleEndian(1, at: position, before: count) else {
            end = position == count ? .whole : .cut
            return nil
        }
        guard level == 1 || level == 2 else {
            // Zeros and line ends that a gateway put behind the stream are no attribute.
            end = level == 0 || UInt8(level).isWhiteSpace ? .whole : .damaged
            return nil
        }
        guard let id = try window.littleEndian(4, at: position + 1, before: count),
            let length = try window.littleEndian(4, at: position + 5, before: count)
        else {
            end = .cut
            return nil
        }
        let start = position + 9
        let isCut = length > count - start
        if isCut { end = .cut }
        // Nobody misses the checksum of the last attribute.
        position = min(start + length + 2, count)
        return Attribute(id: id, data: start..<min(start + length, count), isCut: isCut)
    }
}

extension TNEFAttributes.Attribute {
    /// attOemCodepage.
    static let codePage = 0x0006_9007
    /// attAttachRendData, with which an attachment begins.
    static let rendering = 0x0006_9002
    /// attAttachTitle.
    static let title = 0x0001_8010
    /// attAttachData.
    static let fileData = 0x0006_800F
    /// attAttachTransportFilename.
    static let transportName = 0x0006_9001
    /// attAttachment: properties of MAPI.
    static let properties = 0x0006_9005

    static let ofAttachments: Set<Int> = [rendering, title, fileData, transportName, properties]
}
