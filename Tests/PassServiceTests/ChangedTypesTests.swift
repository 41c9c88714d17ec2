import Bytes
import Foundation
import NIOCore
import PassFixtures
import Testing

@testable import PassService

/// Expected: WHATWG HTML, 9.2, and Python's JSON.
@Suite("An event is one line of JSON with its tag")
struct ChangedTypesTests {
    @Test(
        "types with any characters",
        arguments: [
            [], ["pass.com.example.air"], ["pass.b", "pass.a"],
            [
                "\n", "\r\n", "\u{2028}", "\"", "\\", "data: a\n\nid: 7", "né", "\u{1F600}", "a/b",
                "",
            ],
        ])
    func parse(types: [String]) throws {
        let changes = ChangedTypes(types: Set(types), tag: 1742)
        let program = """
            import json, sys
            lines = sys.stdin.buffer.read().decode().split("\\n")
            assert lines[:2] == ["id: 1742", "event: changes"] and lines[3:] == ["", ""], lines
            assert lines[2].startswith("data: ") and "\\r" not in lines[2]
            contents = json.loads(lines[2][6:])
            assert sorted(contents) == ["lastUpdated", "passTypeIdentifiers"]
            assert contents["lastUpdated"] == "1742"
            print(json.dumps(contents["passTypeIdentifiers"]))
            """
        let output = try run(
            ["python3", "-c", program], input: Array(changes.event.readableBytesView))
        let parsed = try JSONDecoder().decode([String].self, from: Data(output))
        #expect(parsed.sorted() == types.sorted())
        let json = try JSONSerialization.jsonObject(with: Data(changes.json.readableBytesView))
        #expect((json as? [String: Any])?.count == 2)
    }
}
