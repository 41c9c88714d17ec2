import Foundation
import Testing

@testable import PassUpdates

@Suite("A list of changed passes is read in the forms that servers send")
struct ListedPassesTests {
    private static let longTag = String(repeating: "x", count: 512)

    @Test(arguments: [
        (#"{"serialNumbers": ["1", "2"], "lastUpdated": "1742"}"#, ["1", "2"], "1742"),
        (#"{"lastUpdated":"a b","serialNumbers":["b","a","b"],"more":[{}]}"#, ["b", "a"], "a b"),
        (#"{"serialNumbers": [], "lastUpdated": "3"}"#, [], "3"),
        (#"{"serialNumbers": []}"#, [], nil),
        (#"{"serialNumbers": [], "lastUpdated": null}"#, [], nil),
        (#"{"serialNumbers": [], "lastUpdated": ""}"#, [], nil),
        // A timestamp, and serial numbers, as numbers.
        (
            #"{"serialNumbers": [17, "17", -3], "lastUpdated": 1700000000}"#, ["17", "-3"],
            "1700000000"
        ),
        (#"{"serialNumbers": ["1"], "lastUpdated": 1700000000.25}"#, ["1"], "1700000000.25"),
        (#"{"serialNumbers": ["", "\u00fc\n"], "lastUpdated": "\ud83d\ude42"}"#, ["", "ü\n"], "🙂"),
        (#"{"serialNumbers": ["1"], "lastUpdated": "\#(longTag)"}"#, ["1"], longTag),
    ])
    func lists(json: String, serialNumbers: [String], tag: String?) throws {
        let list = try #require(ListedPasses(json: Data(json.utf8)))
        #expect(list.serialNumbers == serialNumbers)
        #expect(list.tag == tag)
    }

    @Test(
        "anything else is not a list",
        arguments: [
            "", "null", "[]", "7", #""serialNumbers""#, "{}", "<html></html>",
            #"{"serialNumbers": ["1"]}"#, #"{"serialNumbers": ["1"], "lastUpdated": ""}"#,
            #"{"serialNumbers": "1", "lastUpdated": "2"}"#,
            #"{"serialNumbers": {"1": "1"}, "lastUpdated": "2"}"#,
            #"{"serialNumbers": [["1"]], "lastUpdated": "2"}"#,
            #"{"serialNumbers": [null], "lastUpdated": "2"}"#,
            #"{"serialNumbers": [true], "lastUpdated": "2"}"#,
            #"{"serialNumbers": ["1"], "lastUpdated": ["2"]}"#,
            #"{"serialNumbers": ["1"], "lastUpdated": "\#(longTag)x"}"#,
            #"{"serialNumbers": ["1"], "lastUpdated": "2""#, "{\"serialNumbers\": [\"\u{1}\"]}",
        ])
    func others(json: String) {
        #expect(ListedPasses(json: Data(json.utf8)) == nil)
    }

    @Test("a list of 4 MiB is the longest, whatever it is nested in")
    func size() {
        let list = Data(#"{"serialNumbers": [], "lastUpdated": "3"}"#.utf8)
        let most = 4 << 20
        #expect(ListedPasses(json: list + Data(repeating: 0x20, count: most - list.count)) != nil)
        #expect(
            ListedPasses(json: list + Data(repeating: 0x20, count: most - list.count + 1)) == nil)
        for nesting in ["[", #"{"serialNumbers":"#, #"{"serialNumbers":["#] {
            let json = String(repeating: nesting, count: 200_000)
            #expect(ListedPasses(json: Data(json.utf8)) == nil)
        }
    }
}
