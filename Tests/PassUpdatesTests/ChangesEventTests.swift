import PassUpdates
import Testing

@Suite("The types of changed passes are read leniently")
struct ChangesEventTests {
    @Test(
        "from JSON as services write it",
        arguments: [
            (#"{"passTypeIdentifiers":["a","b"],"lastUpdated":"1742"}"#, ["a", "b"], "1742"),
            (#"{"lastUpdated":1742,"passTypeIdentifiers":[]}"#, [], "1742"),
            (
                #"{"passTypeIdentifiers":["a"],"lastUpdated":12345678901234567890}"#, ["a"],
                "12345678901234567890"
            ),
            (#"{"passTypeIdentifiers":[7,"a",null,true,{},["b"],"a"]}"#, ["7", "a"], nil),
            (#"{"passTypeIdentifiers":["a"],"lastUpdated":null,"more":[{"x":1}]}"#, ["a"], nil),
            (#"{"passTypeIdentifiers":["pass.\u0061"],"lastUpdated":{}}"#, ["pass.a"], nil),
            ("\u{FEFF} {\"passTypeIdentifiers\":[\"a\",],}", ["a"], nil),
        ] as [(String, [String], String?)])
    func lenient(json: String, types: [String], tag: String?) throws {
        let event = try #require(ChangesEvent(json: json.utf8))
        #expect(event.passTypeIdentifiers == types)
        #expect(event.lastUpdated == tag)
    }

    @Test(
        "anything else is not an event",
        arguments: [
            "", "{}", "[]", "null", "\"a\"", #"{"lastUpdated":"1"}"#,
            #"{"passTypeIdentifiers":null}"#, #"{"passTypeIdentifiers":"a"}"#,
            #"{"passTypeIdentifiers":{"a":1}}"#, #"{"passTypeIdentifiers":["a""#,
            #"{"passTypeIdentifiers":"# + String(repeating: "[", count: 100_000),
        ])
    func malformed(json: String) {
        #expect(ChangesEvent(json: json.utf8) == nil)
    }

    @Test("at most 1,000 types")
    func most() {
        let names = (0..<5000).map { "\"pass.\($0 / 2)\"" }.joined(separator: ",")
        let event = ChangesEvent(json: "{\"passTypeIdentifiers\":[\(names)]}".utf8)
        #expect(event?.passTypeIdentifiers == (0..<1000).map { "pass.\($0)" })
    }
}
