import Foundation
import PassViewer
import Testing

@Suite("the keyboard shortcuts are documented in the same words everywhere")
struct ViewerKeyTests {
    /// The keys and their effects, from mdoc's list in the manual page.
    private func manual() throws -> [String: String] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("desktop/man/passconduit-viewer.1")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let part = lines.drop { $0 != ".Sh KEYS" }.dropFirst().prefix { !$0.hasPrefix(".Sh") }
        var keys: [String: String] = [:]
        var key: String?
        for line in part {
            if line.hasPrefix(".It ") {
                key = String(line.dropFirst(4))
            } else if let key, !line.hasPrefix(".") {
                keys[key, default: ""] += (keys[key] == nil ? "" : " ") + line
            }
        }
        return keys
    }

    @Test("in the manual page and in the window")
    func agrees() throws {
        let keys = ViewerKey.allCases.map { ($0.name, $0.meaning) }
        #expect(try manual() == Dictionary(uniqueKeysWithValues: keys))
    }
}
