import Bytes
import MIME
import Testing

/// A part as the parser found it, decoded in its likeliest way.
struct FoundPart: Hashable, CustomStringConvertible {
    let number: String
    let names: [String]
    let mediaTypes: [String]
    let bytes: [UInt8]

    var description: String {
        "\(number) \(names) \(mediaTypes) \(bytes.count) bytes: \(String(decoding: bytes.prefix(80), as: UTF8.self))"
    }
}

/// The parts of a message, in order.
struct FoundParts: Hashable {
    var parts: [FoundPart] = []
    var problems: [MIMEProblem] = []
    var count = 0
}

/// Runs the reader, the line marks and the parser as the pipeline does. Parses encoded messages as
/// well.
func parts(
    of message: [UInt8], bufferSize: Int = 256 << 10, isInMbox: Bool = false,
    limits: MIMELimits = MIMELimits(), texts: WantedText = .none,
    isOfInterest: @escaping (PartHeader) -> Bool = { _ in true }
) throws -> FoundParts {
    var found = FoundParts()
    var reader = LineReader(bufferSize: bufferSize)
    var waiting = [(message: SpooledBytes(message), within: "")]
    while let (message, within) = waiting.popLast() {
        var parser = MessageParser(limits: limits, texts: texts, isOfInterest: isOfInterest)
        var marks = LineMarks()
        var collected: [CollectedPart] = []
        reader.open(ByteSource(message))
        parser.begin(isInMbox: isInMbox)
        var more = true
        while more {
            let startsLine = reader.startsLine
            more = try reader.next { bytes, _ in
                marks.mark(bytes, startsLine: startsLine)
                parser.feed(bytes, 0..<bytes.count, marks: marks, startsLine: startsLine)
                return bytes.count
            }
            collected += parser.takeParts()
        }
        parser.finish()
        collected += parser.takeParts()
        found.problems += parser.takeProblems()
        found.count += parser.partCount
        var inner: [(message: SpooledBytes, within: String)] = []
        for part in collected {
            let number = within + part.number
            let decoding = part.decodings.first ?? .identity
            let body = try BodyDecoder.decode(part.body, decoding, spool: SpoolPolicy())
            if part.kind == .message {
                inner.append((body, "\(number)!"))
            } else {
                found.parts.append(
                    FoundPart(
                        number: number, names: part.header.names,
                        mediaTypes: part.header.mediaTypes, bytes: try body.array()))
            }
        }
        waiting += inner.reversed()
    }
    return found
}

/// A part in each of its decodings.
func readings(
    of message: [UInt8], number: String, isInMbox: Bool = false, isOfInterest: Bool = true
) throws -> [[UInt8]] {
    var parser = MessageParser { _ in isOfInterest }
    var marks = LineMarks()
    marks.mark(message.span, startsLine: true)
    parser.begin(isInMbox: isInMbox)
    parser.feed(message.span, 0..<message.count, marks: marks, startsLine: true)
    parser.finish()
    let part = try #require(parser.takeParts().first { $0.number == number })
    return try part.decodings.map {
        try BodyDecoder.decode(part.body, $0, spool: SpoolPolicy()).array()
    }
}
