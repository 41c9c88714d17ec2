import Bytes
import MIME
import Platform

/// A message gives the same parts however its lines are divided into runs, within its size.
func fuzzMIME(_ input: Input) {
    var input = input
    let (isInMbox, takesAll) = (input.isChosen(), input.isChosen())
    if let repeated = input.repeated {
        FoundMessage(repeated, MIMELimits(), isInMbox: isInMbox, takesAll: takesAll).decodeAll()
    }
    func found(bufferSize: Int) -> FoundMessage {
        FoundMessage(
            input.bytes, smallLimits, bufferSize: bufferSize, isInMbox: isInMbox,
            takesAll: takesAll)
    }
    let whole = found(bufferSize: input.bytes.count + 1)
    // Runs consist of whole lines, unless a line exceeds the buffer.
    let longest = max(64, longestLine(input.bytes))
    let size = input.number(in: longest..<longest + input.bytes.count / 2)
    let split = found(bufferSize: size)
    expect(whole == split, "a buffer of \(size) bytes finds \(split), a large one \(whole)")
    // If lines are cut, different parts may be found, but still within the bounds.
    found(bufferSize: input.number(in: 64..<longest)).expectBounds()
    whole.expectBounds()
    whole.decodeAll()
}

private func longestLine(_ bytes: [UInt8]) -> Int {
    var (longest, start) = (0, 0)
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
        longest = max(longest, index + 1 - start)
        start = index + 1
    }
    return max(longest, bytes.count - start)
}

private let smallLimits: MIMELimits = {
    var limits = MIMELimits()
    limits.depth = 10
    limits.parts = 100
    limits.parameters = 1000
    limits.headerBlock = 16 << 10
    return limits
}()

private struct FoundMessage: Equatable {
    private let size: Int
    private var header: [UInt8] = []
    private var parts: [FoundPart] = []
    private var problems: [MIMEProblem] = []
    private var partCount = 0

    init(
        _ bytes: [UInt8], _ limits: MIMELimits, bufferSize: Int = 256 << 10, isInMbox: Bool,
        takesAll: Bool
    ) {
        size = bytes.count
        var parser = MessageParser(limits: limits) {
            takesAll || !$0.names.isEmpty
                || $0.mediaTypes.contains { $0.hasPrefix("application/") }
        }
        var reader = LineReader(bufferSize: bufferSize)
        var marks = LineMarks()
        reader.open(ByteSource(SpooledBytes(bytes)))
        parser.begin(isInMbox: isInMbox)
        var more = true
        while more {
            let startsLine = reader.startsLine
            more = always { () throws(FileError) in
                try reader.next { bytes, _ in
                    marks.mark(bytes, startsLine: startsLine)
                    parser.feed(bytes, 0..<bytes.count, marks: marks, startsLine: startsLine)
                    return bytes.count
                }
            }
        }
        parser.finish()
        header = parser.header.bytes
        parts = parser.takeParts().map(FoundPart.init)
        problems = parser.takeProblems()
        partCount = parser.partCount
    }

    /// Each byte of a message is in at most one part, and each problem is reported once.
    func expectBounds() {
        expect(parts.reduce(0) { $0 + $1.body.count } <= size, "parts are larger than the message")
        // A part may be found as text and as a file.
        expect(parts.count <= 2 * smallLimits.parts, "\(parts.count) parts are kept")
        expect(Set(problems.map(\.kind.code)).count == problems.count, "a problem is told twice")
    }

    /// Decodes every part in all ways.
    func decodeAll() {
        for part in parts {
            for decoding in part.decodings {
                let decoded = always { () throws(FileError) in
                    try BodyDecoder.decode(
                        SpooledBytes(part.body), decoding, spool: SpoolPolicy())
                }
                expect(decoded.count, decodedFrom: part.body.count, decoding)
            }
        }
    }
}

private struct FoundPart: Equatable {
    let number: String
    let names: [String]
    let mediaTypes: [String]
    let encodings: [TransferEncoding]
    let typeIdentifiers: [String]
    let kind: CollectedPart.Kind
    let decodings: [BodyDecoding]
    let body: [UInt8]

    init(_ part: CollectedPart) {
        number = part.number
        names = part.header.names
        mediaTypes = part.header.mediaTypes
        encodings = part.header.encodings
        typeIdentifiers = part.header.typeIdentifiers
        kind = part.kind
        decodings = Array(part.decodings)
        body = part.body.bytes
    }
}
