package import Bytes
package import Platform

/// The kind of some content, determined by its first bytes. Files, attachments, members of
/// archives, downloads and standard input are all recognised here, so that all readers agree.
///
/// ```swift
/// let head = try ContentHead(of: bytes)
/// if head.kind == .mail(.mbox) { ... }
/// ```
package enum ContentKind: Sendable, Equatable {
    case mail(MailFormat)
    /// Mail, or another text that may hold passes, that ``MailRepair`` must convert first.
    case damagedMail
    /// A file with a magic number.
    case file(FileSignature)
    case tar
    /// What a crawler stored (ISO 28500).
    case warc
    case macBinary
    case binHex
    /// A text with a format whose values may be files.
    case text(TextSignature)
    case unread(UnreadFormat)
    /// A file with attachments. In mail, such a part is not opened.
    case pdf
    case webPage
    case empty
    /// Unrecognised.
    case other

    /// What the location or the server says about the content.
    package struct Hint: OptionSet, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Their location marks them as one message, even if the first lines do not look like one.
        /// Dovecot compresses such files without renaming them.
        package static let isMessage = Hint(rawValue: 1)
        /// The server declares a web page.
        package static let isWebPage = Hint(rawValue: 2)
        /// Their name or media type is that of mail, so they are mail unless they are a file in a
        /// known format, even if the first lines do not look like mail (VIOLATIONS.md, B20).
        package static let isMail = Hint(rawValue: 4)
        /// They are a file, not the body of a part, whose header and encoding are known.
        package static let isFile = Hint(rawValue: 8)
        /// Their name is that of a placeholder, whatever they contain.
        package static let isPlaceholder = Hint(rawValue: 16)
        // Their name is that of a format that is not read, unless they are text or in a known
        // format.
        package static let isProtected = Hint(rawValue: 32)
        package static let isNotes = Hint(rawValue: 64)
        package static let isTheBat = Hint(rawValue: 128)
        package static let isPegasus = Hint(rawValue: 256)
        /// Their name is that of JSON, so that other lines may precede the first text.
        package static let isJSON = Hint(rawValue: 512)

        /// The format that the name says.
        fileprivate var unreadFormat: UnreadFormat? {
            contains(.isProtected)
                ? .protectedByMicrosoft
                : contains(.isNotes)
                    ? .notes : contains(.isTheBat) ? .theBat : contains(.isPegasus) ? .pegasus : nil
        }
    }

    /// - Parameter prefix: The first bytes, ``ContentHead/length`` if there are so many.
    package init(_ prefix: Span<UInt8>, _ hint: Hint = []) {
        let signature = FileSignature(prefix)
        if hint.contains(.isPlaceholder), signature == nil || signature == .propertyList {
            self = .unread(.iCloudPlaceholder)
        } else if let signature, !hint.contains(.isMessage) || signature.isCompression {
            self = ContentKind(signature)
        } else if hint.contains(.isMessage) {
            self =
                signature == nil && ContentKind.isDamagedMail(prefix)
                ? .damagedMail : .mail(.message)
        } else if prefix.isEmpty {
            self = hint.contains(.isWebPage) ? .webPage : .empty
        } else if TarHeader(prefix) != nil {
            self = .tar
        } else if prefix.hasPrefix("WARC/", at: 0) {
            self = .warc
        } else if FileSignature.isDiscImage(prefix) {
            self = .file(.iso)
        } else if let text = TextSignature(prefix) {
            self = .text(text)
        } else if MailRepair.isNeeded(prefix) {
            self =
                ContentKind.isDamagedMail(prefix) ? .damagedMail : ContentKind(file: prefix, hint)
        } else if let format = MailFormat(prefix) {
            self = .mail(format)
        } else {
            self.init(file: prefix, hint)
        }
    }

    private init(_ signature: FileSignature) {
        switch signature {
        case .outlookFolders: self = .unread(.outlookFolders)
        case .outlookExpress: self = .unread(.outlookExpress)
        case .dovecotLZ4: self = .unread(.dovecotLZ4)
        case .dovecotEncrypted: self = .unread(.dovecotEncrypted)
        case .protectedFile, .protectedMessage: self = .unread(.protectedByMicrosoft)
        case .notes: self = .unread(.notes)
        case .theBat: self = .unread(.theBat)
        default: self = .file(signature)
        }
    }

    /// The kind of bytes that are not mail.
    private init(file prefix: Span<UInt8>, _ hint: Hint) {
        if MacSignature.isMacBinary(prefix) {
            self = .macBinary
        } else if MacSignature.isBinHex(prefix) {
            self = .binHex
        } else if let format = hint.unreadFormat,
            prefix.firstIndex(of: 0, in: prefix.indices) != nil,
            // Music of the NES, also named `.nsf`.
            !prefix.hasPrefix("NESM\u{1A}", at: 0)
        {
            self = .unread(format)
        } else if hint.contains(.isJSON), TextSignature.beginsJSONLater(prefix) {
            self = .text(.json)
        } else if hint.contains(.isMail)
            || hint.contains(.isFile) && MailFormat.isMessageWithoutHeader(prefix)
        {
            self = .mail(.message)
        } else if hint.contains(.isWebPage) || ContentKind.beginsWebPage(prefix) {
            self = .webPage
        } else if hint.contains(.isFile), ContentKind.isPDF(prefix) {
            self = .pdf
        } else {
            self = .other
        }
    }

    /// The format of mail that needs no conversion.
    package var mailFormat: MailFormat? {
        if case .mail(let format) = self { format } else { nil }
    }

    /// The format of content that is not read.
    package var unreadFormat: UnreadFormat? {
        if case .unread(let format) = self { format } else { nil }
    }

    /// Whether the contents may be a pass or contain passes. Others are opened only if their names
    /// or media types claim that.
    package var mayHoldPasses: Bool {
        switch self {
        case .mail, .damagedMail, .file, .tar, .warc, .macBinary, .binHex, .text, .unread, .pdf:
            true
        case .webPage, .empty, .other: false
        }
    }

    private static func isDamagedMail(_ prefix: Span<UInt8>) -> Bool {
        guard let repaired = MailRepair.repaired(prefix) else { return false }
        return TextSignature(repaired.span) != nil || MailFormat(repaired.span) != nil
    }

    /// Whether the header of a PDF file is among the first bytes (ISO 32000-1, 7.5.2); Acrobat
    /// reads 1,024 of them.
    private static func isPDF(_ prefix: Span<UInt8>) -> Bool {
        var start = 0
        let end = min(prefix.count, 1024)
        while let place = prefix.firstIndex(of: UInt8(ascii: "%"), in: start..<end) {
            if prefix.hasPrefix("%PDF-", at: place) { return true }
            start = place + 1
        }
        return false
    }

    private static func beginsWebPage(_ prefix: Span<UInt8>) -> Bool {
        let mark = ByteOrderMark.utf8.length(in: prefix)
        let start = prefix.trimmed(mark..<prefix.count).lowerBound
        guard start < prefix.count, prefix[start] == UInt8(ascii: "<") else { return false }
        return prefix.hasPrefix(caseInsensitive: "<!doctype html", at: start)
            || prefix.hasPrefix(caseInsensitive: "<html", at: start)
            || prefix.hasPrefix(caseInsensitive: "<head", at: start)
            || prefix.hasPrefix(caseInsensitive: "<body", at: start)
    }
}

/// The first bytes of a source, as many as are needed to recognise it, and its kind.
package struct ContentHead: Sendable {
    package let bytes: [UInt8]
    package let kind: ContentKind
    /// Whether ``longLength`` bytes may tell more: the first ones are text, or may begin a disc
    /// image.
    package let isInconclusive: Bool

    /// The number of bytes that usually suffice.
    package static let length = 4096
    /// The number of bytes needed if those are inconclusive: blank lines, a long first field, the
    /// rest of a message whose beginning is lost, or the system area of a disc image.
    package static let longLength = 64 << 10

    /// - Parameter bytes: The first bytes of a source.
    package init(_ bytes: [UInt8], _ hint: ContentKind.Hint = []) {
        self.bytes = bytes
        let kind = ContentKind(bytes.span, hint.subtracting(.isMail))
        isInconclusive =
            bytes.count == ContentHead.length && (kind == .other || kind == .webPage)
            && (!bytes.drop(while: { $0 == 0 }).contains(0)
                || FileSignature.mayBeginDiscImage(bytes.span))
        self.kind = hint.contains(.isMail) ? ContentKind(bytes.span, hint) : kind
    }

    /// Reads the first bytes.
    package init(of source: ByteSource, _ hint: ContentKind.Hint = []) throws(FileError) {
        self.init(try source.prefix(ContentHead.length), hint)
        guard isInconclusive else { return }
        let count = ContentHead.longLength - ContentHead.length
        self.init(bytes + (try source.bytes(at: ContentHead.length, count: count)), hint)
    }
}
