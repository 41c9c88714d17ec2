import Bytes
import MIME
import Platform

/// A body decodes to the same bytes wherever it is split, and to no more than its encoding allows.
func fuzzBodyDecoder(_ input: Input) {
    var input = input
    if let repeated = input.repeated {
        for decoding in decodings {
            _ = decoded(SpooledBytes(repeated), decoding, inPiecesOf: repeated.count)
        }
    }
    let inMemory = SpooledBytes(input.bytes)
    let inFile = SpooledBytes(inFile: input.bytes)
    let size = input.number(in: 1..<max(2, input.bytes.count))
    let start = input.number(in: 0..<min(16, input.bytes.count) + 1)
    for decoding in decodings + [.skipping(start, .base64), .skipping(start, .uuencode)] {
        let whole = decoded(inMemory, decoding, inPiecesOf: max(1, input.bytes.count))
        expect(whole.count, decodedFrom: input.bytes.count, decoding)
        let split = decoded(inFile, decoding, inPiecesOf: size)
        expect(whole == split, "\(decoding) in pieces of \(size) gives \(split), not \(whole)")
    }
}

private let decodings: [BodyDecoding] = [
    .identity, .unquotedFrom, .base64, .base64WithoutJunkLines, .base64InPieces,
    .base64InMarkup(spacesArePluses: true), .quotedPrintable, .quotedPrintableWithoutLineEnds,
    .uuencode, .yEnc,
]

private func decoded(
    _ body: SpooledBytes, _ decoding: BodyDecoding, inPiecesOf size: Int
) -> [UInt8] {
    always { () throws(FileError) in
        try BodyDecoder.decode(body, decoding, spool: SpoolPolicy(), inPiecesOf: size).array()
    }
}

/// Checks the maximum size that an encoding can expand to.
func expect(_ count: Int, decodedFrom encoded: Int, _ decoding: BodyDecoding) {
    let most =
        switch decoding {
        case .identity: encoded
        // Doubly encoded bodies are decoded twice, and a line of uuencode may declare 63 bytes that
        // are all trimmed spaces.
        default: (encoded + 1) / 2 * 63
        }
    expect(count <= most, "\(decoding) makes \(count) bytes of \(encoded)")
}
