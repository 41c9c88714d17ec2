import Foundation
import Testing

@testable import DesktopIntegration

@Suite("A notice of a changed pass fits into a pipe")
struct ChangeNoticeTests {
    @Test("a notice is cut at line ends to fit into one atomic write")
    func limit() throws {
        let notice = ChangeNotice(
            title: "t",
            body: (1...5).map { _ in String(repeating: "\u{1F600}", count: 300) }
                .joined(separator: "\n"))
        let line = try #require(notice.line(upTo: 4096))
        #expect(line.count <= 4096)
        let read = try JSONDecoder().decode(ChangeNotice.self, from: Data(line))
        #expect(read.body.split(separator: "\n").count == 3 && read.title == "t")
        let endless = ChangeNotice(title: String(repeating: "t", count: 5000), body: "x\ny")
        #expect(endless.line(upTo: 4096) == nil)
    }
}
