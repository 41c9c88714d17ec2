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
}
