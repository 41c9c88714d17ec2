import Bytes
import Foundation

/// Base64 decodes to the same bytes wherever it is split, and inverts Foundation's encoder.
func fuzzBase64(_ input: Input) {
    var input = input
    let bytes = input.bytes
    let whole = Base64.decode(bytes.span, 0..<bytes.count)
    expect(
        whole.count <= bytes.count / 4 * 3 + 3, "\(bytes.count) digits give \(whole.count) bytes")
    for _ in 0..<4 {
        let place = input.place()
        expect(decoded(bytes, at: place) == whole, "it differs when it is split at \(place)")
    }
    let encoded = Array(Data(bytes).base64EncodedData(options: lineOptions(&input)))
    expect(
        Base64.decode(encoded.span, 0..<encoded.count) == bytes, "what was encoded is not decoded")
    let digits = bytes.filter { Base64.isDigit($0) && $0 != UInt8(ascii: "=") }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    if let known = Data(base64Encoded: Data(digits + padding)) {
        expect(
            Base64.decode(digits.span, 0..<digits.count) == Array(known), "Foundation decodes other"
        )
    }
}

private func decoded(_ bytes: [UInt8], at place: Int) -> [UInt8] {
    var decoder = Base64()
    var output: [UInt8] = []
    let stop = decoder.decode(bytes.span, 0..<place, into: &output)
    expect(stop == place || decoder.isPadded, "it stops at \(stop) without padding")
    decoder.decode(bytes.span, place..<bytes.count, into: &output)
    decoder.finish(into: &output)
    return output
}

private func lineOptions(_ input: inout Input) -> Data.Base64EncodingOptions {
    switch input.number(in: 0..<3) {
    case 0: []
    case 1: [.lineLength64Characters, .endLineWithLineFeed]
    default: .lineLength76Characters
    }
}
