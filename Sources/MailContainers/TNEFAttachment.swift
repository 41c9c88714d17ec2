import Bytes
import MIME

/// Collects the attributes of one attachment.
struct TNEFAttachment {
    /// The attachment attributes found so far.
    private var attributes: Set<Int> = []
    var longFileName: Text?
    var title: Text?
    var transportName: Text?
    var fileName: Text?
    var displayName: Text?
    var mediaType: Text?
    /// The data of attAttachData.
    var fileData: Range<Int>?
    /// The data of PR_ATTACH_DATA_BIN or PR_ATTACH_DATA_OBJ, without the interface identifier.
    var propertyData: Range<Int>?
    /// Whether the data of attAttachData is in MacBinary.
    var isMacBinary = false
    /// Whether the data of the property is a message.
    var isMessage = false
    /// Whether the stream, or a list of properties, ends within the data.
    var isCut = false

    /// Text as in the stream: UTF-16 or the code page of the message.
    struct Text {
        let bytes: [UInt8]
        let isUnicode: Bool

        func decoded(_ charset: String) -> String {
            guard isUnicode else {
                return Charset.decode(Array(bytes.prefix { $0 != 0 }), charset)
            }
            var units: [UInt16] = []
            for index in stride(from: 0, to: bytes.count - 1, by: 2) {
                let unit = UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
                if unit == 0 { break }
                units.append(unit)
            }
            return String(streamSafe: units)
        }
    }

    /// Whether an attribute belongs to the next attachment. VIOLATIONS.md, Z8: if attAttachRendData
    /// is missing or after the title, a repeated attribute shows the start.
    func ends(before attribute: Int) -> Bool {
        attributes.contains(attribute)
            || attribute == TNEFAttributes.Attribute.rendering
                && (attributes.contains(TNEFAttributes.Attribute.fileData)
                    || attributes.contains(TNEFAttributes.Attribute.properties))
    }

    mutating func add(_ attribute: Int) {
        attributes.insert(attribute)
    }

    /// The data (VIOLATIONS.md, Z11: in only one of the two places).
    var data: Range<Int>? {
        if let fileData, !fileData.isEmpty { return fileData }
        if let propertyData, !propertyData.isEmpty { return propertyData }
        return fileData ?? propertyData
    }

    func finished(_ octets: SpooledBytes, charset: String) -> TNEFMessage.Attachment {
        let holdsMessage = isMessage && data == propertyData
        let texts = [longFileName, title, transportName, fileName, displayName]
        var names: [String] = []
        for text in texts.compactMap({ $0?.decoded(charset) }) {
            // A slash in a subject is not a path separator.
            let name = holdsMessage ? text : PartHeader.fileName(text) ?? ""
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return TNEFMessage.Attachment(
            header: PartHeader(
                names: names,
                mediaTypes: holdsMessage ? ["application/ms-tnef"] : mediaTypes(charset)),
            body: octets.slice(data ?? 0..<0))
    }

    private func mediaTypes(_ charset: String) -> [String] {
        let text = mediaType?.decoded(charset) ?? ""
        let word = HeaderValue(Array(text.utf8), limit: 0).word
        let isMacBinary = isMacBinary && data == fileData
        return (word.isEmpty ? [] : [word]) + (isMacBinary ? ["application/x-macbinary"] : [])
    }
}
