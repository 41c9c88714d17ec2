import Foundation
import PassStore
import Testing

@Suite("A search finds the text of passes, whatever the user types")
struct SearchTests {
    let scratch = Scratch()

    private func library() throws -> PassLibrary {
        let library = try PassLibrary(at: scratch.url, for: .writing)
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

    private func serials(_ words: String, in library: PassLibrary) throws -> [String] {
        try library.search(words).map(\.serialNumber)
    }

    @Test(
        "a word is found inside another, without regard to case, accents and width",
        arguments: [
            ("roast", ["1"]), ("ROAST", ["1"]), ("yroas", ["1"]), ("zzo", ["1"]), ("öast", ["1"]),
            ("rasse", ["1"]), ("STRASSE", ["1"]), ("tra\u{DF}e", ["1"]), ("bc", ["1"]),
            ("99-x", ["1"]), ("0%", ["2"]), ("%", []), ("0_", []), ("x_y", ["2"]), ("a%z", []),
            // Korean, Japanese, Chinese, Thai; also as macOS decomposes Korean.
            ("스", ["3"]), ("버스", ["3"]), ("속버", ["3"]), ("스속", []),
            ("\u{1109}\u{1173}", ["3"]), ("駅", ["3"]), ("京駅", ["3"]), ("车", ["3"]),
            ("火车", ["3"]), ("ท่า", ["3"]), ("อากาศ", ["3"]),
            ("в", ["4"]), ("ва", ["4"]), ("ква", ["4"]), ("МОСКВ", ["4"]), ("а%б", ["4"]),
            ("가\"나", ["4"]), ("가\"나다라", ["4"]),
            // Each word in its own way.
            ("bay roast", ["1"]), ("caf roast", ["1"]), ("roast 京", []), ("oast 99", ["1"]),
            ("\"roast\"", []), ("roast\"", []), ("xample", []),
        ])
    func inside(_ words: String, _ found: [String]) throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(
                serial: "1", organization: "Bayroast", description: "Café",
                fields: [("Seat", "A99-X"), ("Pizzo", "Bäckerstraße"), ("Wide", "ＡＢＣ")]
            ).incoming(),
            TestPass(
                serial: "2", organization: "Cinema", fields: [("Off", "10%"), ("Code", "xx_yy")]
            ).incoming(),
            TestPass(
                serial: "3", organization: "고속버스", description: "東京駅",
                fields: [("to", "火车站"), ("from", "ท่าอากาศยาน")]
            ).incoming(),
            TestPass(
                serial: "4", organization: "Москва", fields: [("x", "а%б"), ("y", "다가\"나다라")]
            ).incoming(),
        ])
        #expect(try serials(words, in: library) == found)
    }

    @Test("whole words and beginnings rank above other parts, the newest of which comes first")
    func rankingOfParts() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(serial: "1", fields: [("of", "Bayroast")]).incoming(),
            TestPass(serial: "2", fields: [("of", "Roastery")]).incoming(),
            TestPass(serial: "3", organization: "Bayroast").incoming(),
            TestPass(serial: "4", organization: "Roast").incoming(),
        ])
        #expect(try serials("roast", in: library) == ["4", "2", "3", "1"])
        #expect(try serials("roast railways", in: library) == ["2", "1"])
        #expect(try serials("roast ways", in: library) == ["2", "1"])
    }

    @Test("pages contain each pass once, in the same order as without pages", arguments: 1...7)
    func pages(size: Int) throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let names = ["Roast", "Bayroast", "Roastery", "Aroast", "Broast", "Cinema", "Roast roast"]
        _ = try library.add(
            names.enumerated().map { try TestPass(serial: "\($0)", organization: $1).incoming() })
        let all = try library.search("roast").map(\.serialNumber)
        #expect(all.count == 6)
        #expect(Set(all.prefix(3)) == ["0", "2", "6"])
        let pages = try stride(from: 0, to: 9, by: size).map { offset in
            try library.search("roast", limit: size, offset: offset).map(\.serialNumber)
        }
        #expect(pages.flatMap(\.self) == all)
        let types: Set = ["pass.com.example.other"]
        let other = try PassLibrary(at: scratch.url, passTypeIdentifiers: types, for: .reading)
        #expect(try other.search("roast").isEmpty)
    }

    @Test("a current version's text is found, a replaced or removed one is not")
    func changes() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let (day, next) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 86_400))
        _ = try library.add([TestPass(fields: [("to", "Bayroast")]).incoming(date: day)])
        _ = try library.add([TestPass(fields: [("to", "Stadthafen")]).incoming(date: next)])
        #expect(try serials("hafen", in: library) == ["0001"])
        #expect(try serials("roast", in: library) == [])
        #expect(try library.remove(try #require(try library.passes().first).identity))
        #expect(try serials("hafen", in: library) == [])
        #expect(try scratch.query("SELECT count(*) FROM foldedTexts") == "0")
    }

    @Test("a library from an earlier version is searched inside words once it is written to")
    func earlier() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(serial: "1", organization: "Bayroast").incoming(),
            TestPass(serial: "2", organization: "Roast").incoming(),
        ])
        try scratch.sqlite(
            """
            DROP TABLE foldedTexts; DROP TRIGGER foldedTextsByPass;
            DELETE FROM grdb_migrations WHERE identifier LIKE '9:%'
            """)
        let reading = try PassLibrary(at: scratch.url, for: .reading)
        #expect(try serials("roast", in: reading) == ["2"])
        let writing = try PassLibrary(at: scratch.url, for: .writing)
        #expect(try serials("roast", in: writing) == ["2", "1"])
        #expect(try serials("roast", in: reading) == ["2", "1"])
    }

    @Test("the number of passes that a search finds")
    func count() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(serial: "1", organization: "Bayroast").incoming(),
            TestPass(serial: "2", organization: "Roast").incoming(),
            TestPass(serial: "3", organization: "Roast").incoming(),
        ])
        #expect(try library.search("roast", limit: 1).count == 1)
        #expect(try library.searchCount("roast") == 3)
        #expect(try library.searchCount("bayroast") == 1)
        #expect(try library.searchCount("x") == 0 && library.searchCount(" ") == 0)
    }

    @Test("a search of many or very long words ends", arguments: [40, 2000])
    func long(count: Int) throws {
        let library = try library()
        let words = (0..<count).map { "mün\($0)" }.joined(separator: " ")
        #expect(try serials(words, in: library) == [])
        #expect(try serials(String(repeating: "ü%", count: count * 50), in: library) == [])
    }

    @Test("a match in the name of a pass ranks above one in other text")
    func ranking() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(serial: "1", organization: "Cinema", fields: [("with", "Opera")]).incoming(),
            TestPass(serial: "2", organization: "Opera", fields: [("with", "Cinema")]).incoming(),
        ])
        #expect(try library.search("opera").map(\.serialNumber) == ["2", "1"])
        #expect(try library.search("cinema").map(\.serialNumber) == ["1", "2"])
    }
}
