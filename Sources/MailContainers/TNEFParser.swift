import Bytes
import MIME
import Platform

/// Reads a TNEF stream and groups its attributes by attachment.
struct TNEFParser {
    private(set) var problems: [TNEFProblem] = []
    private var found: [TNEFAttachment] = []
    private var current: TNEFAttachment?
    /// The bodies of the message, and what was found in them.
    private var storedBodies: [MessageBodies.Stored] = []
    private var bodies: MessageBodies
    /// The code page of a page.
    private var pageCodePage = 0
    /// The code page of 8-bit text; it may appear anywhere in the stream.
    private var codePage = 0
    private var isAtLimit = false
    private var attachmentCount = 0
    private var valuesLeft: Int
    private var nameBytesLeft: Int
    private var window: OctetsWindow
    private let limits: TNEFLimits

    private typealias Attribute = TNEFAttributes.Attribute
    private typealias Property = MAPIProperties.Property

    /// Nil if the octets are not TNEF.
    init?(
        _ octets: SpooledBytes, _ limits: TNEFLimits, texts: WantedText
    ) throws(FileError) {
        self.limits = limits
        bodies = MessageBodies(texts, limit: limits.bodies)
        valuesLeft = limits.properties
        nameBytesLeft = limits.names
        window = OctetsWindow(octets)
        guard var attributes = try TNEFAttributes(&window) else { return nil }
        var count = 0
        while !isAtLimit, let attribute = try attributes.next(&window) {
            count += 1
            if count > limits.attributes {
                reportLimit(.tooManyAttributes(limit: limits.attributes))
            } else {
                try take(attribute)
            }
        }
        try readBodies()
        finish(attributes.end)
    }

    func attachments() -> [TNEFMessage.Attachment] {
        bodies.found.map { TNEFMessage.Attachment(header: $0.header, body: $0.octets) }
            + found.map { $0.finished(window.octets, charset: CodePage.charset(codePage)) }
    }

    private mutating func take(_ attribute: Attribute) throws(FileError) {
        guard attribute.id != Attribute.codePage else {
            let page = try window.littleEndian(
                4, at: attribute.data.lowerBound, before: attribute.data.upperBound)
            codePage = page ?? codePage
            return
        }
        switch attribute.id {
        case Attribute.body:
            takeBody(.text, attribute.data, size: attribute.size)
        case Attribute.messageProperties:
            try takeMessageProperties(attribute)
        default: break
        }
        guard Attribute.ofAttachments.contains(attribute.id) else { return }
        if let attachment = current, attachment.ends(before: attribute.id) {
            end(attachment)
        }
        if current == nil { attachmentCount += 1 }
        guard attachmentCount <= limits.attachments else {
            reportLimit(.tooManyAttachments(limit: limits.attachments))
            return
        }
        var attachment = current ?? TNEFAttachment()
        attachment.add(attribute.id)
        switch attribute.id {
        case Attribute.rendering:
            // The lowest bit of the flags, after five numbers, says that the data is in MacBinary.
            let flags = try window.littleEndian(
                4, at: attribute.data.lowerBound + 10, before: attribute.data.upperBound)
            attachment.isMacBinary = flags.map { $0 & 1 == 1 } ?? false
        case Attribute.title:
            attachment.title = try text(attribute.data, isCut: attribute.isCut)
        case Attribute.transportName:
            attachment.transportName = try text(attribute.data, isCut: attribute.isCut)
        case Attribute.fileData:
            if attribute.isCut {
                attachment.isCut = true
            } else {
                attachment.fileData = attribute.data
            }
        case Attribute.properties:
            try takeProperties(attribute.data, into: &attachment)
        default:
            break
        }
        current = attachment
    }

    private mutating func takeMessageProperties(_ attribute: Attribute) throws(FileError) {
        var properties = try MAPIProperties(attribute.data, limit: limits.properties, &window)
        while let property = try properties.next(&window) {
            let codePage = property.type == Property.unicode ? CodePage.utf16 : 0
            let (value, size) = (property.value, property.size)
            switch property.id {
            case Property.body: takeBody(.text, value, size: size, codePage)
            case Property.html: takeBody(.page, value, size: size, codePage)
            case Property.compressedRTF: takeBody(.richText, value, size: size)
            case Property.internetCodePage:
                let number = try window.littleEndian(
                    4, at: value.lowerBound, before: value.upperBound)
                pageCodePage = number ?? 0
            default: break
            }
        }
        if properties.exceedsLimit {
            problems.append(.tooManyProperties(limit: limits.properties))
        }
        // The end of the stream is reported. Otherwise, the rest may have been a body.
        if properties.isDamaged, !attribute.isCut, bodies.mayHold(properties.rest) {
            bodies.report(.damaged, of: "body")
        }
    }

    private mutating func takeBody(
        _ form: MessageBodies.Form, _ range: Range<Int>, size: Int, _ codePage: Int = 0
    ) {
        guard bodies.mayHold(size) else { return }
        attachmentCount += 1
        guard attachmentCount <= limits.attachments else {
            reportLimit(.tooManyAttachments(limit: limits.attachments))
            return
        }
        storedBodies.append(
            MessageBodies.Stored(
                form: form, octets: window.octets.slice(range), size: size, codePage: codePage))
    }

    /// Reads the bodies, whose code page may follow them.
    private mutating func readBodies() throws(FileError) {
        for index in storedBodies.indices where storedBodies[index].codePage == 0 {
            let isPage = storedBodies[index].form == .page
            storedBodies[index].codePage = isPage && pageCodePage != 0 ? pageCodePage : codePage
        }
        try bodies.read(storedBodies)
        problems += bodies.problems.map(TNEFProblem.body)
    }

    private mutating func takeProperties(
        _ range: Range<Int>, into attachment: inout TNEFAttachment
    ) throws(FileError) {
        var properties = try MAPIProperties(range, limit: valuesLeft, &window)
        while let property = try properties.next(&window) {
            switch property.id {
            case Property.attachLongFileName: attachment.longFileName = try text(property)
            case Property.attachTransportName:
                guard attachment.transportName == nil else { continue }
                attachment.transportName = try text(property)
            case Property.attachFileName: attachment.fileName = try text(property)
            case Property.displayName: attachment.displayName = try text(property)
            case Property.attachMIMETag: attachment.mediaType = try text(property)
            case Property.attachData: try takeData(property, into: &attachment)
            default: break
            }
        }
        valuesLeft -= properties.valueCount
        // A missing property may have been the data.
        if properties.isDamaged { attachment.isCut = true }
        if properties.exceedsLimit {
            reportLimit(.tooManyProperties(limit: limits.properties))
        }
    }

    private mutating func takeData(
        _ property: Property, into attachment: inout TNEFAttachment
    ) throws(FileError) {
        var range = property.value
        switch property.type {
        case _ where property.isCut: return
        case Property.binary: break
        case Property.object:
            let identifier = try window.bytes(
                range.lowerBound..<min(range.lowerBound + 16, range.upperBound))
            // All interface identifiers of COM have the same suffix.
            if identifier.count == 16, identifier.suffix(8) == TNEFParser.ofCOM {
                range = range.lowerBound + 16..<range.upperBound
            }
            attachment.isMessage = identifier == TNEFParser.message
        default: return
        }
        attachment.propertyData = range
        if try TNEFAttributes.isSignature(at: range, &window) { attachment.isMessage = true }
    }

    /// The suffix of COM interface identifiers, and the identifier of IMessage, in stream order.
    private static let ofCOM: ArraySlice<UInt8> = [0xC0, 0, 0, 0, 0, 0, 0, 0x46]
    private static let message: [UInt8] = [7, 3, 2, 0, 0, 0, 0, 0] + ofCOM

    private mutating func text(_ property: Property) throws(FileError) -> TNEFAttachment.Text? {
        switch property.type {
        case Property.unicode: try text(property.value, isUnicode: true, isCut: property.isCut)
        case Property.string8: try text(property.value, isCut: property.isCut)
        default: nil
        }
    }

    private mutating func text(
        _ range: Range<Int>, isUnicode: Bool = false, isCut: Bool
    ) throws(FileError) -> TNEFAttachment.Text? {
        guard !isCut else { return nil }
        guard range.count <= nameBytesLeft else {
            reportLimit(.namesTooLong(limit: limits.names))
            return nil
        }
        nameBytesLeft -= range.count
        return TNEFAttachment.Text(bytes: try window.bytes(range), isUnicode: isUnicode)
    }

    private mutating func finish(_ end: TNEFAttributes.End?) {
        // The rest of the last attachment may be beyond the end.
        let isWhole = current.map { self.end($0, isCut: end != .whole) } ?? true
        switch end {
        case .cut where isWhole: problems.append(.truncated)
        case .damaged: problems.append(.damaged)
        case .whole, .cut, nil: break
        }
    }

    /// Returns whether the attachment is complete.
    @discardableResult
    private mutating func end(_ attachment: TNEFAttachment, isCut: Bool = false) -> Bool {
        current = nil
        if attachment.data != nil || !(isCut || attachment.isCut) {
            found.append(attachment)
            return true
        }
        let header = attachment.finished(window.octets, charset: CodePage.charset(codePage)).header
        problems.append(.attachmentTruncated(name: header.names.first))
        return false
    }

    private mutating func reportLimit(_ problem: TNEFProblem) {
        isAtLimit = true
        problems.append(problem)
    }
}
