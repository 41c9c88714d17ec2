import Bytes

/// What a part's header says of it. Where a field or a parameter stands twice, or can be read in two
/// ways, mail programs differ: every reading is here, the usual one first.
package struct PartHeader: Sendable {
    /// In lower case; empty where the header names none.
    package let mediaTypes: [String]
    /// File names without folders, trailing dots and spaces.
    package private(set) var names: [String]
    package let encodings: [TransferEncoding]
    /// The values that could be a uniform type identifier: of parameters and of fields named so.
    package let typeIdentifiers: [String]
    /// Which piece of a message the body is, if it is one.
    package let partial: PartialMessage?
    /// Whether Apple Mail took the body out, to keep it beside the message (X-Apple-Content-Length).
    package let isTakenOut: Bool
    let boundaries: [[UInt8]]
    let isCut: Bool

    /// The header of a part that has none, but names, media types in lower case, and the encoding of
    /// the text it lies in, from elsewhere.
    package init(
        names: [String], mediaTypes: [String] = [], encodings: [TransferEncoding] = []
    ) {
        self.names = names
        self.mediaTypes = mediaTypes
        self.encodings = encodings
        typeIdentifiers = []
        partial = nil
        isTakenOut = false
        boundaries = []
        isCut = false
    }

    init(_ block: HeaderBlock, limits: MIMELimits) {
        var mediaTypes: [String] = []
        var names: [String] = []
        var fallbackNames: [String] = []
        var encodings: [TransferEncoding] = []
        var typeIdentifiers: [String] = []
        var boundaries: [[UInt8]] = []
        var partial: PartialMessage?
        var isCut = block.isCut
        var looked = 0
        for field in block.fields {
            guard let kind = Kind(block, field) else { continue }
            guard looked < limits.repeatedFields * 4 else {
                isCut = true
                break
            }
            looked += 1
            let body = Array(block.bytes[field.body])
            switch kind {
            case .type, .disposition:
                for value in HeaderValue.readings(body, limit: limits.parameters) {
                    isCut = isCut || value.isCut
                    names += value.parameters.texts(of: kind == .type ? "name" : "filename")
                    fallbackNames += value.parameters.texts(of: kind == .type ? "filename" : "name")
                    if kind == .type {
                        if !value.word.isEmpty { mediaTypes.append(value.word) }
                        partial = partial ?? PartialMessage(value)
                        boundaries += value.parameters.bytes(of: "boundary")
                    }
                    typeIdentifiers += value.parameters.identifiers()
                }
            case .encoding:
                encodings += TransferEncoding.readings(of: body)
            case .name:
                fallbackNames.append(EncodedWords.decode(block.unfolded(field.body)))
            case .identifier:
                let text = Charset.guess(block.unfolded(field.body))
                typeIdentifiers.append(text.filter { $0 != "\"" && $0 != "<" && $0 != ">" })
            }
        }
        // A media type without a slash is where mailers of Apple's put a type identifier.
        typeIdentifiers += mediaTypes.filter { !$0.contains("/") }
        self.mediaTypes = mediaTypes
        self.names = (names + fallbackNames).compactMap(PartHeader.fileName)
        self.encodings = encodings
        self.typeIdentifiers = typeIdentifiers
        self.partial = partial
        isTakenOut = block.fields.contains { block.isNamed($0, "x-apple-content-length") }
        var distinct: [[UInt8]] = []
        for boundary in boundaries
        where !boundary.isEmpty && distinct.count < limits.repeatedFields
            && !distinct.contains(boundary)
        {
            distinct.append(boundary)
        }
        self.boundaries = distinct
        self.isCut = isCut
    }

    /// The same header with other names, for a part whose encoding or whose file brings one.
    package func named(_ names: [String]) -> PartHeader {
        var header = self
        header.names = names
        return header
    }

    /// Whether the first line behind the header is a field that it lacks, so that it goes on there.
    func isContinued(by source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        func begins(with name: StaticString) -> Bool {
            source.hasPrefix(caseInsensitive: name, at: line.lowerBound)
        }
        guard names.isEmpty, encodings.isEmpty, !isMultipart else { return false }
        return mediaTypes.isEmpty
            ? begins(with: "content-")
            : begins(with: "content-transfer-encoding") || begins(with: "content-disposition")
    }

    /// RFC 2046, 5.1 has a subtype behind `multipart/`. Where senders write one of the two words, or none,
    /// the boundary tells.
    package var isMultipart: Bool {
        mediaTypes.contains { $0.hasPrefix("multipart") }
            || !boundaries.isEmpty && !mediaTypes.contains { $0.contains("/") }
    }

    package var isDigest: Bool { mediaTypes.contains("multipart/digest") }

    package var isMessage: Bool {
        mediaTypes.contains {
            $0 == "message/rfc822" || $0 == "message/global" || $0 == "message/news"
        }
    }

    /// Whether the body is a signature that stands beside what it signs: it carries nothing itself.
    var isSignature: Bool {
        mediaTypes.contains {
            $0 == "application/pkcs7-signature" || $0 == "application/x-pkcs7-signature"
        }
    }

    /// Whether the body is the header of one that lies elsewhere.
    var isExternalBody: Bool { mediaTypes.contains("message/external-body") }

    /// Whether the body is said to be one in which other parts or messages are packed.
    package var saysContainer: Bool {
        mediaTypes.contains(where: PartHeader.containerTypes.contains)
            || names.contains { name in
                let name = name.utf8.map(\.asciiLowercased)
                return name.elementsEqual("winmail.dat".utf8)
                    || name.lastIndex(of: UInt8(ascii: ".")).map {
                        PartHeader.containerExtensions.contains(
                            String(decoding: name[($0 + 1)...], as: UTF8.self))
                    } ?? false
            }
    }

    private static let containerTypes: Set<String> = [
        "application/pkcs7-mime", "application/x-pkcs7-mime", "application/ms-tnef",
        "application/vnd.ms-tnef", "application/mbox", "application/x-tar",
        "application/applefile", "application/x-macbinary", "application/macbinary",
        "application/mac-binhex40", "application/zip", "application/x-zip-compressed",
    ]
    private static let containerExtensions: Set<String> = [
        "zip", "p7m", "eml", "emlx", "mbox", "tar", "hqx",
    ]

    /// Whether it leaves open what the body is.
    package var saysNothingOfContents: Bool {
        mediaTypes.allSatisfy { $0 == "application/octet-stream" }
    }

    package var isText: Bool { mediaTypes.isEmpty || mediaTypes.contains { $0.hasPrefix("text/") } }

    private enum Kind {
        case type, disposition, encoding, name, identifier

        init?(_ block: HeaderBlock, _ field: HeaderBlock.Field) {
            guard !field.name.isEmpty else { return nil }
            switch block.bytes[field.name.lowerBound].asciiLowercased {
            case UInt8(ascii: "c"):
                if block.isNamed(field, "content-type") {
                    self = .type
                } else if block.isNamed(field, "content-disposition") {
                    self = .disposition
                } else if block.isNamed(field, "content-transfer-encoding") {
                    self = .encoding
                } else if block.isNamed(field, "content-description")
                    || block.isNamed(field, "content-location")
                {
                    self = .name
                } else {
                    fallthrough
                }
            default:
                // `X-Apple-UTI`, `Content-UTI`, `X-Uniform-Type-Identifier`.
                guard block.isName(of: field, endingIn: "uti", "type-identifier") else {
                    return nil
                }
                self = .identifier
            }
        }
    }
}

extension [Parameter] {
    /// The values that have the form of a reversed domain name, which identifiers have.
    fileprivate func identifiers() -> [String] {
        filter { $0.name != "boundary" && $0.section == nil }
            .compactMap { parameter in
                guard let value = parameter.values.first, value.count <= 255,
                    value.contains(UInt8(ascii: ".")), !value.contains(UInt8(ascii: " "))
                else { return nil }
                return String(decoding: value, as: UTF8.self)
            }
    }
}
