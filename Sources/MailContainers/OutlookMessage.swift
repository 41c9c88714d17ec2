package import Bytes
package import MIME
package import Platform

/// A message that Outlook saved as a file, `.msg` ([MS-OXMSG]): its attachments, and those of
/// attached messages.
package struct OutlookMessage: Sendable {
    /// In order, with the attachments of an attached message in its place.
    package let attachments: [Attachment]
    /// Problems that prevented the message from being read completely.
    package let problems: [OutlookProblem]

    package struct Attachment: Sendable {
        package let header: PartHeader
        /// The subjects of the attached messages that contain it, outermost first.
        package let messages: [String]
        private let octets: SpooledBytes
        private let ranges: [Range<Int>]

        fileprivate init(
            _ header: PartHeader, in messages: [String], _ octets: SpooledBytes,
            _ ranges: [Range<Int>]
        ) {
            self.header = header
            self.messages = messages
            self.octets = octets
            self.ranges = ranges
        }

        fileprivate init(_ header: PartHeader, in messages: [String], _ octets: SpooledBytes) {
            self.init(header, in: messages, octets, [0..<octets.count])
        }

        /// In bytes.
        package var size: Int { ranges.reduce(0) { $0 + $1.count } }

        /// The file, joined from its pieces in the message.
        package func body(_ spool: SpoolPolicy) throws(FileError) -> SpooledBytes {
            try octets.joined(ranges, spool)
        }
    }

    /// The limit for one message and all messages attached to it.
    private static let attachmentLimit = 10_000
    /// The limit for nested messages.
    private static let depthLimit = 20
    /// The limit for the names of all attachments and their messages, in bytes.
    private static let nameLimit = 8 << 20

    /// The limit for bodies that were compressed, in bytes.
    private static let bodyLimit = 64 << 20

    /// Nil if it is not a message, as other Office files are not.
    ///
    /// - Parameter texts: The bodies that are kept, as attachments.
    package init?(_ octets: SpooledBytes, texts: WantedText = .withFiles) throws(FileError) {
        guard let file = try CompoundFile(octets) else { return nil }
        if let limit = file.exceededSize {
            attachments = []
            problems = [.tooLarge(limit: limit)]
            return
        }
        var reader = AttachmentReader(file: file)
        let children = file.entries.first.map { reader.file.takeChildren(of: $0) } ?? []
        let isMessage = children.contains { $0.name == "__properties_version1.0" }
        var attachments: [Attachment] = []
        var problems: [OutlookProblem] = []
        // A truncated directory may lack that entry.
        guard isMessage || file.isCut else {
            guard AttachmentReader.isPackage(children) else { return nil }
            let package = try reader.package(children)
            self.attachments = package.map { [Attachment($0.header, in: [], $0.file)] } ?? []
            self.problems = package == nil ? [.attachmentTruncated(name: nil)] : []
            return
        }
        try reader.readCodePage(children)
        // The attachments and bodies still to be read, next one last, with the subjects of the
        // messages that contain them.
        var waiting: [(content: Content, messages: [String])] = []
        func add(_ children: [CompoundFile.Entry], in messages: [String], headerSize: Int) {
            let bodies = children.filter { AttachmentReader.formOfBody($0) != nil }
            let list = children.first { $0.name == AttachmentReader.properties }
            if !bodies.isEmpty {
                waiting.append((.bodies(bodies, list, headerSize: headerSize), messages))
            }
            for child in children.reversed() where AttachmentReader.isAttachment(child) {
                waiting.append((.attachment(child), messages))
            }
        }
        add(children, in: [], headerSize: 32)
        var bodies = MessageBodies(texts, limit: OutlookMessage.bodyLimit)
        var count = 0
        var nameBytesLeft = OutlookMessage.nameLimit
        while let (content, messages) = waiting.popLast() {
            count += 1
            guard count <= OutlookMessage.attachmentLimit else {
                problems.append(.tooManyAttachments(limit: OutlookMessage.attachmentLimit))
                break
            }
            nameBytesLeft -= messages.reduce(0) { $0 + $1.utf8.count }
            guard nameBytesLeft >= 0 else {
                problems.append(.namesTooLong(limit: OutlookMessage.nameLimit))
                break
            }
            let entry: CompoundFile.Entry
            switch content {
            case .bodies(let entries, let list, let headerSize):
                let wanted = entries.filter { bodies.mayHold($0.size) }
                let left = OutlookMessage.attachmentLimit - count
                if wanted.count > left {
                    problems.append(.tooManyAttachments(limit: OutlookMessage.attachmentLimit))
                }
                let stored = try reader.bodies(wanted.prefix(left), list, headerSize)
                count += stored.count
                let known = bodies.found.count
                try bodies.read(stored, in: messages.map { "\($0)!" }.joined())
                attachments += bodies.found[known...].map {
                    Attachment($0.header, in: messages, $0.octets)
                }
                continue
            case .attachment(let attachment):
                entry = attachment
            }
            let children = reader.file.takeChildren(of: entry)
            if let object = children.first(where: AttachmentReader.isMessage) {
                let inner = reader.file.takeChildren(of: object)
                if AttachmentReader.isPackage(inner) {
                    if let package = try reader.package(inner) {
                        attachments.append(Attachment(package.header, in: messages, package.file))
                    } else {
                        problems.append(.attachmentTruncated(name: nil))
                    }
                    continue
                }
                guard messages.count < OutlookMessage.depthLimit else {
                    problems.append(.nestedTooDeep)
                    continue
                }
                add(inner, in: messages + [try reader.subject(of: children)], headerSize: 24)
                continue
            }
            let header = try reader.header(of: children)
            nameBytesLeft -= header.names.reduce(0) { $0 + $1.utf8.count }
            guard nameBytesLeft >= 0 else {
                problems.append(.namesTooLong(limit: OutlookMessage.nameLimit))
                break
            }
            guard let data = children.first(where: AttachmentReader.isData) else { continue }
            if let ranges = reader.file.ranges(of: data) {
                attachments.append(Attachment(header, in: messages, octets, ranges))
            } else {
                problems.append(.attachmentTruncated(name: header.names.first))
            }
        }
        problems += bodies.problems.map(OutlookProblem.body)
        if file.isAtLimit { problems.append(.tooManyEntries(limit: CompoundFile.entryLimit)) }
        if file.isCut { problems.append(.truncated) }
        self.attachments = attachments
        self.problems = problems
    }

    private enum Content {
        case attachment(CompoundFile.Entry)
        /// The bodies of a message, and the list of its properties, which follows a header.
        case bodies([CompoundFile.Entry], CompoundFile.Entry?, headerSize: Int)
    }
}

/// Reads the properties of attachments.
private struct AttachmentReader {
    var file: CompoundFile
    private var charset = ""

    /// In characters, the limit of Outlook.
    private static let longestSubject = 255
    private static let longestName = 4096
    /// In bytes; each property of a message takes sixteen.
    private static let longestList = 64 << 10
    /// The stream with the list of properties.
    static let properties = "__properties_version1.0"

    init(file: CompoundFile) {
        self.file = file
    }

    static func isAttachment(_ entry: CompoundFile.Entry) -> Bool {
        entry.isFolder && entry.name.hasPrefix("__attach_version1.0_#")
    }

    /// The form of PidTagBody, PidTagHtml and PidTagRtfCompressed; nil for other entries.
    static func formOfBody(_ entry: CompoundFile.Entry) -> MessageBodies.Form? {
        guard !entry.isFolder else { return nil }
        return switch entry.name.asciiLowercased {
        case "__substg1.0_1000001e", "__substg1.0_1000001f": .text
        case "__substg1.0_1013001e", "__substg1.0_1013001f", "__substg1.0_10130102": .page
        case "__substg1.0_10090102": .richText
        default: nil
        }
    }

    /// The bodies in these streams; `list` is the list of the message's properties.
    mutating func bodies(
        _ streams: ArraySlice<CompoundFile.Entry>, _ list: CompoundFile.Entry?, _ headerSize: Int
    ) throws(FileError) -> [MessageBodies.Stored] {
        let (text, page) = try codePages(list, headerSize)
        var found: [MessageBodies.Stored] = []
        for stream in streams {
            guard let form = Self.formOfBody(stream) else { continue }
            let isUnicode = stream.name.hasSuffix("F") || stream.name.hasSuffix("f")
            var octets = SpooledBytes([])
            if let ranges = file.ranges(of: stream) {
                octets = try file.octets.joined(ranges, SpoolPolicy())
            }
            found.append(
                MessageBodies.Stored(
                    form: form, octets: octets, size: stream.size,
                    codePage: isUnicode ? CodePage.utf16 : form == .page && page != 0 ? page : text)
            )
        }
        return found
    }

    /// Whether these are the streams of an object of the class `Package`.
    static func isPackage(_ children: [CompoundFile.Entry]) -> Bool {
        children.contains(where: isPackage)
    }

    private static func isPackage(_ entry: CompoundFile.Entry) -> Bool {
        entry.name == OLEPackage.streamName && !entry.isFolder
    }

    /// The file in such an object; nil if it is damaged.
    mutating func package(_ children: [CompoundFile.Entry]) throws(FileError) -> OLEPackage? {
        guard let stream = children.first(where: Self.isPackage),
            let ranges = file.ranges(of: stream)
        else { return nil }
        return try OLEPackage(native: try file.octets.joined(ranges, SpoolPolicy()))
    }

    /// PidTagAttachDataObject, if it is a message.
    static func isMessage(_ entry: CompoundFile.Entry) -> Bool {
        entry.isFolder && entry.name.asciiLowercased == "__substg1.0_3701000d"
    }

    static func isData(_ entry: CompoundFile.Entry) -> Bool {
        !entry.isFolder && entry.name.asciiLowercased == "__substg1.0_37010102"
    }

    /// Reads the code page of names.
    mutating func readCodePage(_ children: [CompoundFile.Entry]) throws(FileError) {
        let list = children.first { $0.name == Self.properties }
        charset = CodePage.charset(try codePages(list, 32).text)
    }

    /// PidTagMessageCodepage, the code page of the message's 8-bit text ([MS-OXMSG], 2.4), and
    /// PidTagInternetCodepage, that of its page; 0 if they are missing.
    private mutating func codePages(
        _ list: CompoundFile.Entry?, _ headerSize: Int
    ) throws(FileError) -> (text: Int, page: Int) {
        guard let list, let bytes = try bytes(of: list, limit: Self.longestList) else {
            return (0, 0)
        }
        var pages = (text: 0, page: 0)
        // After a header, an entry for each property: type and number, flags, value.
        for start in stride(from: headerSize, to: bytes.count - 15, by: 16) {
            let tag = bytes[start..<start + 4]
            let number = Int(bytes[start + 8]) | Int(bytes[start + 9]) << 8
            if tag.elementsEqual([0x03, 0x00, 0xFD, 0x3F]) { pages.text = number }
            if tag.elementsEqual([0x03, 0x00, 0xDE, 0x3F]) { pages.page = number }
        }
        return pages
    }

    /// The subject of an attached message, from the attachment's display name.
    mutating func subject(of children: [CompoundFile.Entry]) throws(FileError) -> String {
        let text = try text(MAPIProperties.Property.displayName, of: children) ?? ""
        return text.isEmpty ? "message" : String(text.prefix(Self.longestSubject))
    }

    mutating func header(of children: [CompoundFile.Entry]) throws(FileError) -> PartHeader {
        var names: [String] = []
        let properties = [
            MAPIProperties.Property.attachLongFileName, MAPIProperties.Property.attachFileName,
            MAPIProperties.Property.displayName,
        ]
        for property in properties {
            let text = try text(property, of: children)
            guard let name = text.flatMap(PartHeader.fileName), !names.contains(name) else {
                continue
            }
            names.append(name)
        }
        let type = try text(MAPIProperties.Property.attachMIMETag, of: children) ?? ""
        let word = HeaderValue(Array(type.utf8), limit: 0).word
        return PartHeader(names: names, mediaTypes: word.isEmpty ? [] : [word])
    }

    private mutating func text(
        _ property: Int, of children: [CompoundFile.Entry]
    ) throws(FileError) -> String? {
        let number = String(property, radix: 16)
        for (type, isUnicode) in [("001f", true), ("001e", false)] {
            let stream = children.first {
                $0.name.asciiLowercased == "__substg1.0_\(number)\(type)"
            }
            guard let stream, let bytes = try bytes(of: stream, limit: Self.longestName) else {
                continue
            }
            return TNEFAttachment.Text(bytes: bytes, isUnicode: isUnicode).decoded(charset)
        }
        return nil
    }

    private mutating func bytes(
        of stream: CompoundFile.Entry, limit: Int
    ) throws(FileError) -> [UInt8]? {
        guard stream.size <= limit, let ranges = file.ranges(of: stream) else { return nil }
        var bytes: [UInt8] = []
        for range in ranges { bytes += try file.octets.array(range) }
        return bytes
    }
}

extension SpooledBytes {
    /// The octets of these ranges, one after the other.
    fileprivate func joined(
        _ ranges: [Range<Int>], _ spool: SpoolPolicy
    ) throws(FileError) -> SpooledBytes {
        if ranges.count < 2 { return slice(ranges.first ?? 0..<0) }
        var writer = OctetsWriter(spool)
        for range in ranges {
            var failure: FileError?
            try slice(range).forEachPiece { piece throws(FileError) in
                do throws(FileError) {
                    try writer.append(piece)
                } catch {
                    failure = error
                }
                return failure == nil
            }
            if let failure { throw failure }
        }
        return try writer.finish()
    }
}
