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

        /// In bytes.
        package var size: Int { ranges.reduce(0) { $0 + $1.count } }

        /// The file, joined from its pieces in the message.
        package func body(_ spool: SpoolPolicy) throws(FileError) -> SpooledBytes {
            if ranges.count < 2 { return octets.slice(ranges.first ?? 0..<0) }
            var writer = OctetsWriter(spool)
            for range in ranges {
                var failure: FileError?
                try octets.slice(range).forEachPiece { piece throws(FileError) in
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

    /// The limit for one message and all messages attached to it.
    private static let attachmentLimit = 10_000
    /// The limit for nested messages.
    private static let depthLimit = 20
    /// The limit for the names of all attachments and their messages, in bytes.
    private static let nameLimit = 8 << 20

    /// Nil if it is not a message, as other Office files are not.
    package init?(_ octets: SpooledBytes) throws(FileError) {
        guard let file = try CompoundFile(octets) else { return nil }
        var reader = AttachmentReader(file: file)
        let children = file.entries.first.map { reader.file.takeChildren(of: $0) } ?? []
        let isMessage = children.contains { $0.name == "__properties_version1.0" }
        // A truncated directory may lack that entry.
        guard isMessage || file.isCut else { return nil }
        try reader.readCodePage(children)
        var attachments: [Attachment] = []
        var problems: [OutlookProblem] = []
        // The attachments still to be read, next one last, with the subjects of the messages that
        // contain them.
        var waiting: [(entry: CompoundFile.Entry, messages: [String])] = []
        for child in children.reversed() where AttachmentReader.isAttachment(child) {
            waiting.append((child, []))
        }
        var count = 0
        var nameBytesLeft = OutlookMessage.nameLimit
        while let (entry, messages) = waiting.popLast() {
            count += 1
            guard count <= OutlookMessage.attachmentLimit else {
                problems.append(.tooManyAttachments(limit: OutlookMessage.attachmentLimit))
                break
            }
            let children = reader.file.takeChildren(of: entry)
            if let message = children.first(where: AttachmentReader.isMessage) {
                guard messages.count < OutlookMessage.depthLimit else {
                    problems.append(.nestedTooDeep)
                    continue
                }
                let messages = messages + [try reader.subject(of: children)]
                let inner = reader.file.takeChildren(of: message)
                for child in inner.reversed() where AttachmentReader.isAttachment(child) {
                    waiting.append((child, messages))
                }
                continue
            }
            let header = try reader.header(of: children)
            nameBytesLeft -= (messages + header.names).reduce(0) { $0 + $1.utf8.count }
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
        if file.isAtLimit { problems.append(.tooManyEntries(limit: CompoundFile.entryLimit)) }
        if file.isCut { problems.append(.truncated) }
        self.attachments = attachments
        self.problems = problems
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

    init(file: CompoundFile) {
        self.file = file
    }

    static func isAttachment(_ entry: CompoundFile.Entry) -> Bool {
        entry.isFolder && entry.name.hasPrefix("__attach_version1.0_#")
    }

    /// PidTagAttachDataObject, if it is a message.
    static func isMessage(_ entry: CompoundFile.Entry) -> Bool {
        entry.isFolder && entry.name.uppercased() == "__SUBSTG1.0_3701000D"
    }

    static func isData(_ entry: CompoundFile.Entry) -> Bool {
        !entry.isFolder && entry.name.uppercased() == "__SUBSTG1.0_37010102"
    }

    /// Reads PidTagMessageCodepage, the code page of the message's 8-bit text ([MS-OXMSG], 2.4).
    mutating func readCodePage(_ children: [CompoundFile.Entry]) throws(FileError) {
        let list = children.first { $0.name == "__properties_version1.0" }
        guard let list, let bytes = try bytes(of: list, limit: Self.longestList) else { return }
        // After a header, an entry for each property: type and number, flags, value.
        for start in stride(from: 32, to: bytes.count - 15, by: 16)
        where bytes[start..<start + 4].elementsEqual([0x03, 0x00, 0xFD, 0x3F]) {
            charset = CodePage.charset(Int(bytes[start + 8]) | Int(bytes[start + 9]) << 8)
        }
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
        let number = String(property, radix: 16, uppercase: true)
        for (type, isUnicode) in [("001F", true), ("001E", false)] {
            let stream = children.first {
                $0.name.uppercased() == "__SUBSTG1.0_\(number)\(type)"
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
