import Bytes
import Platform

/// The attributes of a TNEF stream, in sequence ([MS-OXTNEF], 2.1.3.2).
///
/// VIOLATIONS.md, Z9: checksums are not verified; damage shows when the pass is verified.
struct TNEFAttributes {
    /// Nil while there are more.
    private(set) var end: End?
    private var position: Int

    enum End { case whole, cut, damaged }

    struct Attribute {
        let id: Int
        /// The data, as far as it is present.
        let data: Range<Int>
        /// Its size as announced, in bytes.
        let size: Int

        /// Whether the stream ends within the attribute.
        var isCut: Bool { data.count < size }
    }

    /// The attributes after the signature and the legacy key; nil without a signature.
    init?(_ window: inout OctetsWindow) throws(FileError) {
        guard try TNEFAttributes.isSignature(at: 0..<window.octets.count, &window) else {
            return nil
        }
        position = 6
    }

    /// Whether a TNEF stream begins at the start of the range.
    static func isSignature(
        at range: Range<Int>, _ window: inout OctetsWindow
    ) throws(FileError) -> Bool {
        let beginning = try window.bytes(range.prefix(FileSignature.length))
        return FileSignature(beginning.span) == .tnef
    }

    mutating func next(_ window: inout OctetsWindow) throws(FileError) -> Attribute? {
        let count = window.octets.count
        guard end == nil else { return nil }
        guard let level = try window.littleEndian(1, at: position, before: count) else {
            end = position == count ? .whole : .cut
            return nil
        }
        guard level == 1 || level == 2 else {
            // VIOLATIONS.md, Z10: zeros and line ends after the stream.
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
        if length > count - start { end = .cut }
        // The checksum of the last attribute may be missing.
        position = min(start + length + 2, count)
        return Attribute(id: id, data: start..<min(start + length, count), size: length)
    }
}

extension TNEFAttributes.Attribute {
    /// attOemCodepage.
    static let codePage = 0x0006_9007
    /// attBody.
    static let body = 0x0002_800C
    /// attMsgProps: MAPI properties of the message.
    static let messageProperties = 0x0006_9003
    /// attAttachRendData, which begins an attachment.
    static let rendering = 0x0006_9002
    /// attAttachTitle.
    static let title = 0x0001_8010
    /// attAttachData.
    static let fileData = 0x0006_800F
    /// attAttachTransportFilename.
    static let transportName = 0x0006_9001
    /// attAttachment: MAPI properties.
    static let properties = 0x0006_9005

    static let ofAttachments: Set<Int> = [rendering, title, fileData, transportName, properties]
}
