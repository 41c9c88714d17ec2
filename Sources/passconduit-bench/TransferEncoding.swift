import Foundation

/// Encodings for mail bodies.
enum TransferEncoding {
    /// In lines of 76 characters.
    static func base64(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let options: Data.Base64EncodingOptions = [
            .lineLength76Characters, .endLineWithLineFeed,
        ]
        return Array(Data(bytes).base64EncodedData(options: options)) + [UInt8(ascii: "\n")]
    }

    /// In one line, with the alphabet for URLs.
    static func base64URL(_ bytes: [UInt8]) -> [UInt8] {
        Data(bytes).base64EncodedData().map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
    }

    /// In full lines; `keeps` selects the bytes to leave unencoded.
    static func quotedPrintable(_ bytes: [UInt8], keeps: (UInt8) -> Bool) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        let (equals, line) = (UInt8(ascii: "="), UInt8(ascii: "\n"))
        var (result, width): ([UInt8], Int) = ([], 0)
        for byte in bytes {
            let isPlain = keeps(byte)
            if width + (isPlain ? 1 : 3) > 75 {
                result += [equals, line]
                width = 0
            }
            if isPlain {
                result.append(byte)
            } else {
                result += [equals, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
            width += isPlain ? 1 : 3
        }
        return result + [equals, line]
    }

    /// In lines of 45 bytes, with a grave accent for a space, as is usual.
    static func uuencoded(_ bytes: [UInt8]) -> [UInt8] {
        func digit(_ value: UInt8) -> UInt8 { value == 0 ? UInt8(ascii: "`") : value + 32 }
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 45) {
            let line = bytes[start..<min(start + 45, bytes.count)]
            let padded = Array(line) + [0, 0]
            result.append(digit(UInt8(line.count)))
            for first in stride(from: 0, to: line.count, by: 3) {
                let (one, two, three) = (padded[first], padded[first + 1], padded[first + 2])
                result.append(digit(one >> 2))
                result.append(digit((one & 3) << 4 | two >> 4))
                result.append(digit((two & 15) << 2 | three >> 6))
                result.append(digit(three & 63))
            }
            result.append(UInt8(ascii: "\n"))
        }
        return result
    }
}
