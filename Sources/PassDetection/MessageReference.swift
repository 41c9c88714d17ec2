import Bytes
package import MIME

/// The location of a message and its main header fields; texts are decoded, not escaped.
package struct MessageReference: Sendable, Hashable {
    /// Counts from 0 within its source.
    package var index: Int
    /// The offset of the message in its source, in bytes (in an mbox, of its `From ` line).
    package var offset: Int
    package var messageID: String
    package var from: String
    package var date: String
    package var subject: String

    package init(
        index: Int, offset: Int, messageID: String, from: String, date: String, subject: String
    ) {
        self.index = index
        self.offset = offset
        self.messageID = messageID
        self.from = from
        self.date = date
        self.subject = subject
    }

    /// False for an encoded file, which is read like the body of a message.
    package var hasHeader: Bool {
        !(messageID.isEmpty && from.isEmpty && date.isEmpty && subject.isEmpty)
    }
}

extension MessageReference {
    package init(_ header: HeaderBlock, index: Int, offset: Int) {
        self.init(
            index: index, offset: offset,
            messageID: MessageReference.withoutBrackets(
                header.text(of: "message-id", limit: MessageReference.longestField)),
            from: header.text(of: "from", limit: MessageReference.longestField),
            date: header.text(of: "date", limit: MessageReference.longestField),
            subject: header.text(of: "subject", limit: MessageReference.longestField))
    }

    /// How much of a field is read, in bytes. It is repeated for each pass in the message.
    private static let longestField = 8 << 10

    package var textSize: Int { [messageID, from, date, subject].reduce(0) { $0 + $1.utf8.count } }

    /// Whether a long run of combining marks was broken in one of the texts.
    package var hasBrokenRun: Bool {
        [messageID, from, date, subject].contains(where: \.hasBrokenRun)
    }

    /// RFC 5322, 3.6.4: the angle brackets are not part of the identifier.
    private static func withoutBrackets(_ text: String) -> String {
        guard let start = text.firstIndex(of: "<"), let end = text[start...].firstIndex(of: ">")
        else { return text }
        return String(text[text.index(after: start)..<end])
    }
}
