import Foundation
import PassStore
import Testing

@Suite("A search finds the text of passes, whatever the user types")
struct SearchTests {
    let scratch = Scratch()

    private func library() throws -> PassLibrary {
        let library = try PassLibrary(at: scratch.url)
        _ = try library.add([
            TestPass(
                serial: "ICE-599/7", organization: "Deutsche Bahn", description: "Fahrkarte",
                fields: [("from", "München Hbf"), ("to", "Zürich HB")],
                strings: ["de": "\"from\" = \"Abfahrt\";", "ja": "\"from\" = \"東京駅から\";"]
            ).incoming(),
            TestPass(
                serial: "42", organization: "Café Crème", description: "Loyalty card",
                fields: [("Coffees", "7 of 10")]
            ).incoming(),
            TestPass(
                serial: "43", organization: "Cinema", description: "Ticket",
                fields: [("Snack", "Coffee \"NEAR\" OR AND")]
            ).incoming(),
        ])
        return library
    }

    @Test(arguments: [
        ("munchen", ["ICE-599/7"]), ("MÜNCHEN hbf", ["ICE-599/7"]), ("zür", ["ICE-599/7"]),
        ("abfahrt", ["ICE-599/7"]), ("ICE-599/7", ["ICE-599/7"]), ("599", ["ICE-599/7"]),
        ("京駅", ["ICE-599/7"]), ("東京駅", ["ICE-599/7"]), ("京東", []),
        ("cafe creme", ["42"]), ("café", ["42"]), ("bahn fahr münch", ["ICE-599/7"]),
        ("bahn coffee", []), ("coffee", ["42", "43"]),
        ("pass.com.example.ticket", ["42", "43", "ICE-599/7"]),
        ("", []), ("   ", []), ("\"", []), ("*", []), ("\"coffee", ["42", "43"]), ("NEAR(", ["43"]),
        ("or and", ["43"]), ("organizationName:cinema", []), ("-", []), ("cinema OR", ["43"]),
        ("^cinema", ["43"]), ("cin*ma", []), ("{cinema}", ["43"]), ("co\0ffee", []), ("(((", []),
    ])
    func finds(_ words: String, _ serials: [String]) throws {
        #expect(try library().search(words).map(\.serialNumber).sorted() == serials.sorted())
    }

    @Test("a match in the name of a pass ranks above one in other text")
    func ranking() throws {
        let library = try PassLibrary(at: scratch.url)
        _ = try library.add([
            TestPass(serial: "1", organization: "Cinema", fields: [("with", "Opera")]).incoming(),
            TestPass(serial: "2", organization: "Opera", fields: [("with", "Cinema")]).incoming(),
        ])
        #expect(try library.search("opera").map(\.serialNumber) == ["2", "1"])
        #expect(try library.search("cinema").map(\.serialNumber) == ["1", "2"])
    }
}
