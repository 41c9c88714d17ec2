import Testing

@testable import PassPresentation

@Suite("Text is worded for the reader")
struct WordingTests {
    @Test(
        "a message from a library becomes a clause",
        arguments: [
            ("Unknown option '--x'.", "unknown option '--x'"), ("ZIP is damaged", "ZIP is damaged"),
            ("A thing.\n", "a thing"), ("no change", "no change"), ("", ""),
        ])
    func clauses(sentence: String, clause: String) {
        #expect(PassPresentation.clause(sentence) == clause)
    }

    @Test(
        "a headline repeats nothing",
        arguments: [
            ("Example Air", "Flight", "Example Air, Flight"), ("", "Flight", "Flight"),
            ("Example Air", "", "Example Air"), ("Air", "Air Ticket", "Air Ticket"), ("", "", ""),
            ("Sem", "Semantic Event", "Sem, Semantic Event"), ("DB", "DBX Tour", "DB, DBX Tour"),
            ("Route", "Route66", "Route, Route66"), ("Air", "Air: a show", "Air: a show"),
            ("Caf", "Cafe\u{301}", "Caf, Cafe\u{301}"),
            ("Cafe", "Cafe\u{301} bar", "Cafe, Cafe\u{301} bar"),
            ("\u{6771}\u{4EAC}", "\u{6771}\u{4EAC}\u{5854}", "\u{6771}\u{4EAC}\u{5854}"),
        ])
    func headlines(organization: String, matter: String, headline: String) {
        #expect(PassPresentation.headline(organization: organization, matter: matter) == headline)
    }

    @Test(
        "a serial number becomes a file name in the current folder",
        arguments: [
            ("0001", "0001.pkpass"), ("a/b", "a-b.pkpass"),
            ("../../etc/passwd", "etc-passwd.pkpass"),
            (".hidden", "hidden.pkpass"), ("-rf", "rf.pkpass"), ("", "pass.pkpass"),
            ("\u{1B}\u{202E}", "pass.pkpass"), ("é", "pass.pkpass"),
            (String(repeating: "x", count: 300), String(repeating: "x", count: 100) + ".pkpass"),
        ])
    func fileNames(serialNumber: String, name: String) {
        #expect(fileName(serialNumber) == name)
    }

    @Test(
        "a file gets the name of its pass",
        arguments: [
            ("Nimbus Air, LIS -> GRU", "Nimbus-Air-LIS-GRU.pkpass"),
            ("../../etc/passwd", "etc-passwd.pkpass"), ("...", "pass.pkpass"),
            ("S\u{E3}o Paulo\u{202E}\u{3164}!", "S\u{E3}o-Paulo.pkpass"),
            ("\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}.pkpass"),
            (String(repeating: "x", count: 300), String(repeating: "x", count: 200) + ".pkpass"),
        ])
    func fileNames(passName: String, name: String) {
        #expect(Array(fileName(named: passName).utf8) == Array(name.utf8))
    }
}
