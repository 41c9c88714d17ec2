import Bytes

/// What is known of an attachment while the attributes around it are read.
struct TNEFAttachment {
    /// Which it has of the attributes that make an attachment.
    private var attributes: Set<Int> = []
    var longFileName: Text?
    var title: Text?
    var transportName: Text?
    var fileName: Text?
    var displayName: Text?
    var mediaType: Text?
    /// The data of attAttachData.
    var fileData: Range<Int>?
    /// The data of PR_ATTACH_DATA_BIN or PR_ATTACH_DATA_OBJ, without the identifier of an interface.
    var propertyData: Range<Int>?
    /// Whether the data of attAttachData are in MacBinary.
    var isMacBinary = false
    /// Whether the data of the property are a message.
    var isMessage = false
    /// Whether the stream, or a list of properties, ends within the data.
    var isCut = false

    /// Text as it stands in the stream: in UTF-16 or in the code page of the message.
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

    /// Whether an attribute is of the next attachment. [MS-OXTNEF], 2.1.3.1 has each begin with
    /// attAttachRendData; writers that leave it out, or put it behind the title, are told apart by
    /// what stands twice.
    func ends(before attribute: Int) -> Bool {
        attributes.contains(attribute)
            || attribute == TNEFAttributes.Attribute.rendering
                && (attributes.contains(TNEFAttributes.Attribute.fileData)
                    || attributes.contains(TNEFAttributes.Attribute.properties))
    }

    mutating func add(_ attribute: Int) {
        attributes.insert(attribute)
    }

    /// Where the data are: some writers put them in one place and leave the other one empty.
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
            // The slashes of a subject divide no folders.
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
