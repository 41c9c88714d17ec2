import Bytes

/// The header of a part. If a field or parameter is ambiguous or occurs twice (VIOLATIONS.md, M21,
/// M33), mail programs differ: all readings are included, the usual one first.
package struct PartHeader: Sendable {
    /// In lower case; empty if the header names none.
    package let mediaTypes: [String]
    /// File names without folders and trailing dots and spaces.
    package private(set) var names: [String]
    package private(set) var encodings: [TransferEncoding]
    /// Possible uniform type identifiers, from parameters and fields.
    package let typeIdentifiers: [String]
    /// The fragment of a message that the body contains, if any.
    package let partial: PartialMessage?
    /// Whether Apple Mail removed the body and stored it beside the message
    /// (X-Apple-Content-Length).
    package let isTakenOut: Bool
    /// Whether Thunderbird replaced the body with a notice (X-Mozilla-Altered), and the URL of the
    /// file that it moved the body to (X-Mozilla-External-Attachment-URL).
    package let isAltered: Bool
    package let detachedTo: String?
    let boundaries: [[UInt8]]
    let isCut: Bool
    private let traits: Traits

    /// The header of a part that has none of its own, from other sources: names, media types in
    /// lower case, the encoding of the surrounding text, and whether the location says that it is a
    /// message.
    package init(
        names: [String], mediaTypes: [String] = [], encodings: [TransferEncoding] = [],
        isMessage: Bool = false
    ) {
        self.names = names
        self.mediaTypes = mediaTypes
        self.encodings = encodings
        typeIdentifiers = []
        partial = nil
        isTakenOut = false
        isAltered = false
        detachedTo = nil
        boundaries = []
        isCut = false
        let traits = Traits(mediaTypes, hasBoundary: false)
        self.traits = isMessage ? traits.union(.message) : traits
    }

    init(_ block: HeaderBlock, limits: MIMELimits) {
        var mediaTypes: [String] = []
        var names: [String] = []
        var fallbackNames: [String] = []
        var encodings: [TransferEncoding] = []
        var typeIdentifiers: [String] = []
        var boundaries: [[UInt8]] = []
        var partial: PartialMessage?
        var isAltered = false
        var detachedTo: String?
        var isCut = block.isCut
        var looked = 0
        var isTakenOut = false
        for field in block.fields where field.kind != .other {
            if field.kind == .takenOut {
                isTakenOut = true
                continue
            }
            guard looked < limits.repeatedFields * 4 else {
                isCut = true
                break
            }
            looked += 1
            switch field.kind {
            case .type, .disposition:
                let isType = field.kind == .type
                if let value = PlainValue(block.bytes.span, field.body),
                    value.count <= limits.parameters,
                    let plain = PlainReading(value, block.bytes.span)
                {
                    if isType { mediaTypes.append(plain.word) }
                    for (kind, text) in plain.values {
                        switch kind {
                        case .name where isType, .fileName where !isType: names.append(text)
                        case .name, .fileName: fallbackNames.append(text)
                        case .identifier: typeIdentifiers.append(text)
                        }
                    }
                    if isType, let boundary = plain.boundary { boundaries.append(boundary) }
                    continue
                }
                let body = Array(block.bytes[field.body])
                for value in HeaderValue.readings(body, limit: limits.parameters) {
                    isCut = isCut || value.isCut
                    names += value.parameters.texts(of: isType ? "name" : "filename")
                    // VIOLATIONS.md, M34: each field has the parameter of the other.
                    fallbackNames += value.parameters.texts(of: isType ? "filename" : "name")
                    if isType {
                        if !value.word.isEmpty { mediaTypes.append(value.word) }
                        partial = partial ?? PartialMessage(value)
                        boundaries += value.parameters.bytes(of: "boundary")
                    }
                    typeIdentifiers += value.parameters.identifiers()
                }
            case .encoding:
                encodings += TransferEncoding.readings(of: block.bytes.span, field.body)
            case .name:
                fallbackNames.append(EncodedWords.decode(block.unfolded(field.body)))
            case .identifier:
                let text = Charset.guess(block.unfolded(field.body))
                typeIdentifiers.append(
                    text.filter { $0 != "\"" && $0 != "<" && $0 != ">" }.streamSafe)
            case .detached:
                let url = Charset.guess(block.unfolded(field.body))
                detachedTo = detachedTo ?? url.filter { !$0.isWhitespace }.streamSafe
            case .altered:
                isAltered = true
            case .takenOut, .other:
                break
            }
        }
        // VIOLATIONS.md, M24: a type identifier in place of the media type has no slash.
        for type in mediaTypes where !type.utf8.contains(UInt8(ascii: "/")) {
            typeIdentifiers.append(type)
        }
        self.mediaTypes = mediaTypes
        // Thunderbird keeps the name of a detached file in its URL.
        if names.isEmpty, fallbackNames.isEmpty, let detachedTo { fallbackNames = [detachedTo] }
        names += fallbackNames
        self.names = names.isEmpty ? names : names.compactMap(PartHeader.fileName)
        self.encodings = encodings
        self.typeIdentifiers = typeIdentifiers
        self.partial = partial
        self.isAltered = isAltered || detachedTo != nil
        self.detachedTo = detachedTo
        self.isTakenOut = isTakenOut
        var distinct: [[UInt8]] = []
        for boundary in boundaries where !boundary.isEmpty && !distinct.contains(boundary) {
            guard distinct.count < limits.repeatedFields else {
                isCut = true
                break
            }
            distinct.append(boundary)
        }
        self.boundaries = distinct
        self.isCut = isCut
        traits = Traits(mediaTypes, hasBoundary: !distinct.isEmpty)
    }

    /// The same header with other names, for a part whose encoding or file contains a name.
    package func named(_ names: [String]) -> PartHeader {
        var header = self
        header.names = names
        return header
    }

    /// The same header with other encodings.
    func encoded(_ encodings: [TransferEncoding]) -> PartHeader {
        var header = self
        header.encodings = encodings
        return header
    }

    /// Whether the first line after the header is a field that the header lacks, so that the header
    /// continues there.
    func isContinued(by source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        func begins(with name: StaticString) -> Bool {
            source.hasPrefix(caseInsensitive: name, at: line.lowerBound)
        }
        guard names.isEmpty, encodings.isEmpty, !isMultipart else { return false }
        return mediaTypes.isEmpty
            ? begins(with: "content-")
            : begins(with: "content-transfer-encoding") || begins(with: "content-disposition")
    }

    package var isMultipart: Bool { traits.contains(.multipart) }

    package var isDigest: Bool { traits.contains(.digest) }

    package var isMessage: Bool { traits.contains(.message) }

    /// Whether the body is a detached signature, which cannot contain a pass.
    var isSignature: Bool { traits.contains(.signature) }

    /// Whether the body is the header of an external body.
    var isExternalBody: Bool { traits.contains(.externalBody) }

    package var isText: Bool { traits.contains(.text) }

    /// Whether the body is text that must be decoded before it is searched. Web pages are not: one
    /// mail in five has a page in base64, and programs put files and messages into plain texts.
    package var isTextInBase64: Bool {
        isText && encodings.contains(.base64) && !mediaTypes.contains("text/html")
    }

    /// Whether the body is declared to be a container of other parts or messages.
    package var saysContainer: Bool {
        traits.contains(.container)
            || names.contains { name in
                let bytes = name.utf8.span
                var end = bytes.count
                var word = bytes.fileExtension(in: 0..<end) ?? 0..<end
                // A placeholder of a container.
                if bytes.equals(caseInsensitive: "icloud", in: word) {
                    end = max(word.lowerBound - 1, 0)
                    word = bytes.fileExtension(in: 0..<end) ?? 0..<end
                }
                return bytes.equals(caseInsensitive: "winmail.dat", in: 0..<end)
                    || word.lowerBound > 0
                        && PartHeader.containerExtensions.contains {
                            bytes.equals(caseInsensitive: $0, in: word)
                        }
            }
    }

    private static let containerExtensions: [StaticString] = [
        "zip", "p7m", "eml", "emlx", "mbox", "tar", "iso", "hqx", "har", "ics", "vcf",
        "webarchive",
        // Not read, but reported.
        "pfile", "rpmsg", "nsf", "tbb", "pmm",
    ]

    /// Whether the header does not determine the type of the body.
    package var saysNothingOfContents: Bool {
        mediaTypes.allSatisfy { $0 == "application/octet-stream" }
    }
}

/// Properties that follow from the media types, computed once.
private struct Traits: OptionSet {
    let rawValue: UInt8
    init(rawValue: UInt8) { self.rawValue = rawValue }

    static let multipart = Traits(rawValue: 1)
    static let digest = Traits(rawValue: 2)
    static let message = Traits(rawValue: 4)
    static let signature = Traits(rawValue: 8)
    static let externalBody = Traits(rawValue: 16)
    static let text = Traits(rawValue: 32)
    /// A container of other parts or messages.
    static let container = Traits(rawValue: 64)

    init(_ mediaTypes: [String], hasBoundary: Bool) {
        var traits: Traits = mediaTypes.isEmpty ? .text : []
        var hasSlash = false
        for type in mediaTypes {
            let bytes = type.utf8.span
            hasSlash = hasSlash || bytes.firstIndex(of: UInt8(ascii: "/"), in: bytes.indices) != nil
            if bytes.hasPrefix("text/", at: 0) {
                traits.formUnion(Traits.of(type, in: Traits.texts))
                traits.insert(.text)
            } else if bytes.hasPrefix("multipart", at: 0) {
                traits.insert(type == "multipart/digest" ? [.multipart, .digest] : .multipart)
            } else if bytes.hasPrefix("message/", at: 0) {
                traits.formUnion(Traits.of(type, in: Traits.messages))
            } else if bytes.hasPrefix("application/", at: 0) {
                traits.formUnion(Traits.of(type, in: Traits.applications))
            }
        }
        // VIOLATIONS.md, M63: if the type is one word, or none, the boundary parameter decides.
        if hasBoundary, !hasSlash { traits.insert(.multipart) }
        self = traits
    }

    private static func of(_ type: String, in table: [(type: String, traits: Traits)]) -> Traits {
        table.first { $0.type == type }?.traits ?? []
    }

    // Arrays, because the lists are short: building a dictionary costs more than reading a short
    // message.
    private static let texts: [(type: String, traits: Traits)] = [
        ("text/calendar", .container), ("text/vcard", .container), ("text/x-vcard", .container),
        ("text/x-vcalendar", .container), ("text/directory", .container),
        ("text/json", .container),
    ]
    private static let messages: [(type: String, traits: Traits)] = [
        ("message/rfc822", .message), ("message/global", .message), ("message/news", .message),
        ("message/external-body", .externalBody), ("message/http", .container),
    ]
    private static let applications: [(type: String, traits: Traits)] = [
        ("application/pkcs7-signature", .signature),
        ("application/x-pkcs7-signature", .signature),
        // VIOLATIONS.md, M80: `x-pkcs7-mime`.
        ("application/pkcs7-mime", .container), ("application/x-pkcs7-mime", .container),
        ("application/ms-tnef", .container), ("application/vnd.ms-tnef", .container),
        ("application/mbox", .container), ("application/x-tar", .container),
        ("application/applefile", .container), ("application/x-macbinary", .container),
        ("application/macbinary", .container), ("application/mac-binhex40", .container),
        ("application/zip", .container), ("application/x-zip-compressed", .container),
        ("application/json", .container), ("application/ics", .container),
        ("application/http", .container), ("application/x-webarchive", .container),
    ]
}

extension [Parameter] {
    /// The values in the form of an identifier: a reversed domain name.
    func identifiers() -> [String] {
        filter { $0.name != "boundary" && $0.section == nil }
            .compactMap { parameter in
                guard let value = parameter.values.first,
                    value.count <= Parameter.longestIdentifier,
                    value.contains(UInt8(ascii: ".")), !value.contains(UInt8(ascii: " "))
                else { return nil }
                return String(streamSafe: value)
            }
    }
}
