import Foundation
import Glibc
import Logging
import PassFixtures
import PassSession
import Platform
import Testing

@testable import ServiceCommands

@Suite("A log message is one line with unambiguous values")
struct LogWriterTests {
    /// Logs one message and returns the lines of the log.
    private func lines(json: Bool, _ metadata: Logger.Metadata) throws -> [String] {
        let path = try fixtureFolder().appending(path: "log").path
        let errors = try FileDescriptor.temporary(at: path)
        let shell = ServiceShell(Environment([:]), errors: errors)
        let logger = Logger(label: "tests") { _ in LogWriter(shell, isJSON: json, level: .info) }
        logger.info("fetched", metadata: metadata)
        errors.close()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    @Test(
        "in text, values with spaces are quoted",
        arguments: [
            ("E4", "serial=E4"), ("E 4", #"serial="E 4""#), ("E=4", #"serial="E=4""#),
            (#"a"b\c"#, #"serial="a\"b\\c""#), ("E4\u{2003}x", "serial=\"E4\u{2003}x\""),
        ])
    func text(serial: String, expected: String) throws {
        let lines = try lines(json: false, ["serial": "\(serial)"])
        #expect(lines.count == 1)
        #expect(lines.first?.hasSuffix(" info fetched \(expected)") == true)
    }

    @Test(
        "control and bidirectional characters are escaped in text and JSON",
        arguments: ["\u{202E}", "\u{1B}", "\n", "\u{2028}", "\u{9B}", "\u{7F}"])
    func escaped(character: String) throws {
        for json in [false, true] {
            let lines = try lines(json: json, ["serial": "E4\(character)x"])
            #expect(lines.count == 1)
            #expect(lines.first?.contains(character) == false)
        }
        let line = try #require(try lines(json: true, ["serial": "E4\(character)x"]).first)
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let metadata = try #require(object?["metadata"] as? [String: String])
        #expect(metadata["serial"] == "E4\(character)x")
    }
}
