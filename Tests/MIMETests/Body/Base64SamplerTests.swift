import Bytes
import Testing

@testable import MIME

@Suite("Long base64 in a text is found by samples")
struct Base64SamplerTests {
    private static let prose = Array(
        String(repeating: "<p>Dear passenger, the ticket is in the mail.</p>\n", count: 100).utf8)
    private static let digits = Array(String(repeating: "UEsDBBQAAAAIAIMYIljP+/9v", count: 90).utf8)

    /// Whether a text is found when it arrives in two pieces.
    private func finds(_ text: [UInt8], split: Int, isEncoded: Bool = false) -> Bool {
        var sampler = Base64Sampler(isEncoded: isEncoded)
        return sampler.findsFile(text.span, 0..<split)
            || sampler.findsFile(text.span, split..<text.count)
    }

    @Test("wherever it begins and the text is divided, but not behind pictures")
    func places() {
        let picture = Array("<img src=\"data:image/png;base64,iVBOR".utf8)
        let wrong = Array("<img src=\"data:image/png;base64,".utf8)
        let quote = Array("\"><a href=\"data:application/zip;base64,".utf8)
        let (prose, digits) = (Self.prose, Self.digits)
        for start in stride(from: 0, to: 2048, by: 37) {
            let before = Array(prose.prefix(start))
            let split = start * 3 % 2048
            #expect(finds(before + digits + prose, split: split))
            #expect(finds(before + picture + digits + quote + digits, split: 0))
            #expect(finds(before + wrong + digits + prose, split: 0))
            #expect(!finds(before + picture + digits + digits, split: 0))
            #expect(!finds(before + prose, split: split))
        }
    }

    @Test("in lines that end in a space, as flowed text has them", arguments: [64, 72, 76, 77])
    func flowed(width: Int) {
        let digits = Self.digits + Self.digits
        let lines = stride(from: 0, to: digits.count, by: width).map {
            Array(digits[$0..<min($0 + width, digits.count)] + Array(" \r\n".utf8))
        }
        for start in stride(from: 0, to: 2048, by: 7) {
            let text = Array(Self.prose.prefix(start)) + lines.joined() + Self.prose
            #expect(finds(text, split: start), "\(start)")
        }
    }

    /// A sample is 32 bytes, one in each KiB.
    @Test("if two samples in a row are base64, at even and odd places", arguments: [0, 1])
    func rows(parity: Int) {
        let line = Array("Dear passenger, the ticket is in the mail: \"\n".utf8)
        let prose = Array(repeatElement(line, count: 120).joined())
        for length in [1000, 1056, 1500, 2079, 2080, 3200] {
            for place in stride(from: 1024 + 1024 * parity - 40, to: 2080 + 1024 * parity, by: 8) {
                let run = place..<place + length
                var text = Array(prose.prefix(place - 1)) + [UInt8(ascii: "\"")]
                text += (Self.digits + Self.digits).prefix(length)
                text += [UInt8(ascii: "\"")] + prose
                let samples = stride(from: 0, to: text.count - 32, by: 1024).map {
                    run.contains($0) && run.contains($0 + 31)
                }
                let isFound = zip(samples, samples.dropFirst()).contains { $0 && $1 }
                for split in [0, place, place + 40, place + 1100, text.count] {
                    #expect(finds(text, split: split) == isFound, "\(run), \(split)")
                }
            }
        }
    }

    private func base64(_ text: [UInt8]) -> [UInt8] {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var lines: [UInt8] = []
        for start in stride(from: 0, to: text.count - 56, by: 57) {
            for group in stride(from: start, to: start + 57, by: 3) {
                let bits =
                    Int(text[group]) << 16 | Int(text[group + 1]) << 8 | Int(text[group + 2])
                for shift in [18, 12, 6, 0] { lines.append(alphabet[bits >> shift & 63]) }
            }
            lines += [0x0D, 0x0A]
        }
        return lines
    }

    @Test("in base64, also files in uuencode and yEnc")
    func encoded() {
        let uuencoded = Array(
            String(repeating: "M4$L#!!0````(`(,8(EC/QB)O4@```%\n", count: 80).utf8)
        let inHTML = Array(
            String(
                repeating: "M4$L#!!0`&amp;`(`,8(&lt;C/QB)O4@&gt;``%&quot;Q&#x27;:P\n", count: 80
            ).utf8)
        let broken = Array(
            String(repeating: "M4$L#!!0````(`,8(EC/QB)O4@```%<br>\n", count: 80).utf8)
        let yEnc = (0..<4000).map { UInt8($0 * 7 % 256) }
        let lines = Array(
            String(
                repeating: "UEsDBBQAAAAIAIMYIljP+/9vUEsDBBQAAAAIAIMYIljP+/9v<br>\n", count: 90
            ).utf8)
        let files = [Self.digits + Self.digits, lines, uuencoded, inHTML, broken, yEnc]
        for (index, file) in files.enumerated() {
            let isFound = finds(
                base64(Self.prose + file + Self.prose), split: 2000, isEncoded: true)
            #expect(isFound, "file \(index), \(file.count) bytes")
        }
        #expect(!finds(base64(Self.prose), split: 2000, isEncoded: true))
    }

    @Test("at the same place, however the text is divided")
    func pieces() {
        let picture = Array("<img src=\"data:image/png;base64,iVBOR".utf8)
        let quote = Array("\"><a href=\"data:application/zip;base64,".utf8)
        let page = Self.prose + picture + Self.digits + quote + Self.digits + Self.prose
        for (text, isEncoded) in [(page, false), (base64(page), true)] {
            let whole = rest(of: text, size: text.count, isEncoded)
            #expect(whole.count < text.count && whole.count > Self.digits.count + Self.prose.count)
            for size in 1..<100 {
                #expect(rest(of: text, size: size, isEncoded) == whole, "\(size) bytes")
            }
        }
    }

    /// The text from shortly before the file on, as it is found in pieces of a size.
    private func rest(of text: [UInt8], size: Int, _ isEncoded: Bool) -> ArraySlice<UInt8> {
        var sampler = Base64Sampler(isEncoded: isEncoded)
        for start in stride(from: 0, to: text.count, by: size) {
            let piece = start..<min(start + size, text.count)
            guard sampler.findsFile(text.span, piece) else { continue }
            let (before, rest) = sampler.textOfFile(piece, of: text.span)
            #expect(before.elementsEqual(text[(rest.lowerBound - before.count)..<rest.lowerBound]))
            return text[(rest.lowerBound - before.count)...]
        }
        return []
    }
}
