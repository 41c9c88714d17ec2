import Bytes
import MIME
import MailSource
import PassDetection
import Platform

/// Searches a message for candidates as `passconduit import` does, and stops at the first.
///
/// Only plain mail is searched; any other format may contain a pass.
struct CandidateSearch: ~Copyable {
    private var parser: MessageParser
    private var isFound = false

    /// Whether a message may contain a pass.
    static func mayHoldPass(_ message: ByteSource, spool: SpoolPolicy) throws(FileError) -> Bool {
        let prefix = try SourceKind.prefix(of: message)
        switch plainKind(prefix) {
        case .empty: return false
        case .mbox:
            var search = CandidateSearch(spool: spool)
            try search.read(mbox: message)
            return search.isFound
        case .message:
            var search = CandidateSearch(spool: spool)
            try search.read(message: message)
            return search.isFound
        default: return true
        }
    }

    /// The kind of a message by its first bytes; nil if it must be decompressed or repaired first.
    private static func plainKind(_ prefix: [UInt8]) -> SourceKind? {
        guard FileSignature(prefix.span) == nil, !mayBeTar(prefix),
            MailRepair.repaired(prefix) == nil
        else { return nil }
        return SourceKind(prefix.span)
    }

    /// Whether the bytes may be a tar header, judged by its checksum field: a tar archive begins
    /// with a file name, which may be `From: `.
    private static func mayBeTar(_ prefix: [UInt8]) -> Bool {
        guard prefix.count >= 512 else { return false }
        return prefix[148] >= 0x80
            || prefix[148..<156].allSatisfy { $0 == 0 || $0 == 0x20 || (0x30...0x37).contains($0) }
    }

    private init(spool: SpoolPolicy) {
        // The candidates of import, and headers that only import can decode.
        parser = MessageParser(spool: spool) {
            !TypeMap.builtIn.evidence($0).isEmpty || CandidateSearch.isUnread($0)
        }
    }

    /// Whether a header contains text in a charset that this program cannot decode: it may be the
    /// name of a pass.
    private static func isUnread(_ header: PartHeader) -> Bool {
        (header.names + header.mediaTypes + header.typeIdentifiers).contains {
            $0.unicodeScalars.contains("\u{FFFD}")
        }
    }

    private mutating func read(message: ByteSource) throws(FileError) {
        var reader = MailReader()
        try reader.begin(message, as: .message) { take($0, $1, $2, isInMbox: false) }
        while !isFound, try reader.readMore({ take($0, $1, $2, isInMbox: false) }) {}
    }

    private mutating func read(mbox: ByteSource) throws(FileError) {
        var reader = MailReader()
        _ = try reader.readMbox(mbox) { take($0, $1, $2, isInMbox: true) }
    }

    private mutating func take(
        _ event: MailEvent, _ bytes: Span<UInt8>, _ marks: borrowing LineMarks, isInMbox: Bool
    ) {
        guard !isFound else { return }
        switch event {
        case .began: parser.begin(isInMbox: isInMbox)
        case .lines(let range, let startsLine):
            parser.feed(bytes, range, marks: marks, startsLine: startsLine)
        case .ended: parser.finish()
        }
        isFound = parser.hasFindings || parser.isKeepingPart
    }
}
