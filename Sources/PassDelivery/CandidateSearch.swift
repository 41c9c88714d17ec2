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
        switch try ContentHead(of: message).kind {
        case .empty: return false
        case .mail(.mbox):
            var search = CandidateSearch(spool: spool)
            try search.read(mbox: message)
            return search.isFound
        case .mail(.message):
            var search = CandidateSearch(spool: spool)
            try search.read(message: message)
            return search.isFound
        // Import opens these, or else reads them as a message, even if the first lines are odd.
        default: return true
        }
    }

    private init(spool: SpoolPolicy) {
        // The candidates of import, and headers that only import can decode.
        parser = MessageParser(spool: spool, texts: .withFiles) {
            TypeMap.builtIn.declaration($0).isClaim || CandidateSearch.isUnread($0)
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
