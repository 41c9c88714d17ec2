import Bytes
import MIME
import MailSource

/// Header fields, dates and first lines of mail give no more text than their input allows.
func fuzzHeaders(_ input: Input) {
    var input = input
    let bytes = input.bytes
    for bytes in [bytes, input.repeated ?? []] {
        readValue(bytes)
        readText(bytes)
        readFields(bytes)
    }
    judgeLines(bytes, &input)
    _ = ContentKind(bytes.span.extracting(first: ContentHead.length))
}

/// The maximum number of UTF-8 bytes for one input byte in any charset: two characters with their
/// marks.
private let mostOfOne = 12

private func readValue(_ bytes: [UInt8]) {
    let limit = 50
    let value = HeaderValue(bytes, limit: limit)
    expect(value.word.utf8.count <= bytes.count * 3, "the word is longer than the value")
    expect(value.parameters.count <= limit, "there are \(value.parameters.count) parameters")
}

private func readText(_ bytes: [UInt8]) {
    let text = EncodedWords.decode(bytes)
    expect(
        text.utf8.count <= bytes.count * mostOfOne, "\(bytes.count) bytes give \(text.utf8.count)")
    expectStreamSafe([text])
    if let name = PartHeader.fileName(text) {
        expectStreamSafe([name])
        expect(!name.utf8.contains(0) && !name.contains("/"), "a name with a folder: \(name)")
        expect(PartHeader.fileName(name) == name, "a name within a name: \(name)")
    }
    if let seconds = MailDate.seconds(text) {
        // From year 0 to year 9999, plus a month on each side.
        expect((-62_170_000_000...253_406_000_000).contains(seconds), "\(seconds) for a date")
    }
}

/// Parses the bytes as a message header, and as values of the fields that are read.
private func readFields(_ bytes: [UInt8]) {
    let folded = bytes.flatMap { $0 == UInt8(ascii: "\n") ? [$0, 0x20] : [$0] }
    let values = ["Content-Type: ", "\nContent-Disposition: ", "\nX-UTI: ", "\nSubject: "]
    let fields = values.flatMap { Array($0.utf8) + folded }
    for message in [bytes, fields] {
        var parser = MessageParser { header in
            let names = header.names + header.mediaTypes
            expect(names.allSatisfy { !$0.isEmpty }, "an empty name")
            expectStreamSafe(names + header.typeIdentifiers)
            // Each byte is in one parameter, in at most four readings.
            let count = names.reduce(0) { $0 + $1.utf8.count }
            expect(count <= message.count * 4 * mostOfOne, "\(message.count) bytes name \(count)")
            return true
        }
        var marks = LineMarks()
        marks.mark(message.span, startsLine: true)
        parser.begin(isInMbox: false)
        parser.feed(message.span, 0..<message.count, marks: marks, startsLine: true)
        parser.finish()
        expectStreamSafe([parser.header.text(of: "subject")])
        expect(parser.header.bytes.count <= message.count, "the header is larger than the message")
    }
}

/// The verdict on a line, once decided, does not depend on the bytes after it.
private func judgeLines(_ bytes: [UInt8], _ input: inout Input) {
    var start = 0
    while start < bytes.count {
        let judgement = FromLine.judge(bytes.span, at: start, isAtEnd: true)
        let end = bytes.span.endOfLine(from: start, limit: bytes.count)
        let seen = bytes.span.endOfLine(from: input.number(in: start..<end), limit: bytes.count)
        let early = FromLine.judge(
            bytes.span.extracting(0..<seen), at: start, isAtEnd: seen == bytes.count)
        expect(
            early == judgement || early == .undecided && seen < bytes.count,
            "the line at \(start) is \(early) after \(seen) bytes, and then \(judgement)")
        _ = FromLine.fieldName(bytes.span, start..<end).map { FromLine.isKnown(bytes.span, $0) }
        start = end
    }
}
