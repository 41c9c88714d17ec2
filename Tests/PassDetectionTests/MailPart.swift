import Bytes
import MIME

/// A part of a mail, as the parser reads it.
enum MailPart {
    /// A part parsed from these header fields.
    static func header(_ fields: String) -> PartHeader {
        let bytes = Array((fields + "\nx\n").utf8)
        var marks = LineMarks()
        marks.mark(bytes.span, startsLine: true)
        var parser = MessageParser { _ in true }
        parser.begin(isInMbox: false)
        parser.feed(bytes.span, 0..<bytes.count, marks: marks, startsLine: true)
        parser.finish()
        return parser.takeParts().first?.header ?? PartHeader(names: [])
    }
}
