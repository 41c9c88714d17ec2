import Bytes
import Platform
import Testing

@testable import PassDelivery

@Suite("Header fields are added at the top of a message, and forged ones are removed")
struct HeaderEditTests {
    /// The result for a message that arrives in chunks of a given length.
    private func edited(
        _ message: String, with fields: [String], piece: Int
    ) throws(FileError) -> String {
        let bytes = Array(message.utf8)
        var result: [UInt8] = []
        let take = { (span: Span<UInt8>) throws(FileError) in
            for index in span.indices { result.append(span[index]) }
        }
        var edit = HeaderEdit(fields, to: bytes)
        var index = 0
        while index < bytes.count {
            let end = min(index + piece, bytes.count)
            try edit.take(bytes.span.extracting(index..<end), take)
            index = end
        }
        try edit.finish(take)
        return String(decoding: result, as: UTF8.self)
    }

    static let rows: [(message: String, edited: String)] = [
        ("From: a\n\nb\n", "X-Passconduit: one\nX-Passconduit: two\nFrom: a\n\nb\n"),
        (
            "From: a\r\n\r\nb\r\n",
            "X-Passconduit: one\r\nX-Passconduit: two\r\nFrom: a\r\n\r\nb\r\n"
        ),
        (
            "From a@b Tue May  7 10:00:00 2024\nTo: a\n\nb",
            "From a@b Tue May  7 10:00:00 2024\nX-Passconduit: one\nX-Passconduit: two\nTo: a\n\nb"
        ),
        // Forged fields: folded, in other letter case, at the end.
        (
            "X-Passconduit: added x trusted\n and more\nTo: a\n\nX-Passconduit: b\n",
            "X-Passconduit: one\nX-Passconduit: two\nTo: a\n\nX-Passconduit: b\n"
        ),
        (
            "To: a\nx-PASSconduit : added\n\t\n \n\nb\n",
            "X-Passconduit: one\nX-Passconduit: two\nTo: a\n\nb\n"
        ),
        ("To: a\nX-Passconduit:", "X-Passconduit: one\nX-Passconduit: two\nTo: a\n"),
        // After a lone CR, which some readers treat as a line end.
        (
            "Subject: y\rX-Passconduit: added x trusted\r\nTo: a\r\n\r\nX-Passconduit: b",
            "X-Passconduit: one\r\nX-Passconduit: two\r\nSubject: y\rTo: a\r\n\r\nX-Passconduit: b"
        ),
        (
            "To: a\r\r\nX-Passconduit: b\r\n\r\nc",
            "X-Passconduit: one\r\nX-Passconduit: two\r\nTo: a\r\r\n\r\nc"
        ),
        // After several From_ lines.
        (
            "From a@b Tue\n>From c@d Tue\nX-Passconduit: b\nTo: a\n\nc",
            "From a@b Tue\n>From c@d Tue\nX-Passconduit: one\nX-Passconduit: two\nTo: a\n\nc"
        ),
        // Removed even if nothing is added.
        ("\nX-Passconduit: b\nTo: a\n\nc", "\nTo: a\n\nc"),
        ("junk\nX-Passconduit: b\n\nX-Passconduit: c", "junk\n\nX-Passconduit: c"),
        ("To: a\rX-Passconduit: b\r\rc", "To: a\r\rc"),
        // Another field with the same beginning, and a short last line.
        (
            "X-Passconduits: x\nX-Passconduit\nX: y",
            "X-Passconduit: one\nX-Passconduit: two\nX-Passconduits: x\nX-Passconduit\nX: y"
        ),
        // Not a message: nothing is added.
        ("", ""), ("hello\nworld\n", "hello\nworld\n"), ("PK\u{3}\u{4}: \n", "PK\u{3}\u{4}: \n"),
        ("To: a\rFrom: b\r\r", "To: a\rFrom: b\r\r"), ("\n\nTo: a\n", "\n\nTo: a\n"),
    ]

    @Test("in chunks of any length", arguments: rows)
    func edited(row: (message: String, edited: String)) throws {
        for piece in 1...max(row.message.utf8.count, 1) {
            let edited = try edited(row.message, with: ["one", "two"], piece: piece)
            #expect(edited == row.edited, "in pieces of \(piece)")
        }
    }

    @Test("without a pass, only forged fields are removed from a message")
    func nothing() throws {
        let mail = "To: a\nX-Passconduit: added\nCc: b\n\nX-Passconduit: c\n"
        #expect(
            try edited(mail, with: [], piece: 5) == "To: a\nCc: b\n\nX-Passconduit: c\n")
    }
}
