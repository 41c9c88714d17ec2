import Bytes
import Testing

@testable import MailContainers

@Suite("Names in containers have no long runs of combining marks")
struct CombiningMarksTests {
    @Test func names() {
        let name = "a" + String(repeating: "\u{301}\u{323}", count: 20)
        let units = name.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let texts = [
            TNEFAttachment.Text(bytes: units, isUnicode: true).decoded(""),
            MacFile.fileName(Array(name.utf8)) ?? "",
        ]
        for text in texts {
            #expect(text.unicodeScalars.count >= 40)
            let hasLongRun = StreamSafeText.hasLongRun(text.utf8.span)
            #expect(!hasLongRun, "\(text)")
        }
    }
}
