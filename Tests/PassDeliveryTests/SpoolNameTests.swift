import Testing

@testable import PassDelivery

@Suite("The name of a spooled message counts the import attempts")
struct SpoolNameTests {
    @Test(
        "it is parsed from any file's name",
        arguments: [
            ("1731000000.N012345678P42.mail.example,attempts=2", 2),
            ("1731000000.N012345678P42.mail.example", 0), ("", 0), ("mail", 0), ("12", 0),
            (",attempts=", 0), (",attempts=12", 12), ("1.a,attempts=2,S=300", 0),
            ("1.a,attempts=-1", 0), ("1.a,tries=3", 0), ("1.a,S=300,attempts=3", 3),
            ("1.a,attempts=99999999999999999999", 0), ("1.\u{301},attempts=1", 1),
        ])
    func attempts(name: String, attempts: Int) {
        #expect(SpoolName(name).attempts == attempts)
        #expect(SpoolName(name).text == name)
    }

    @Test("it is written into a new name", arguments: [0, 1, 4])
    func new(attempts: Int) throws {
        let name = SpoolName(attempts: attempts)
        #expect(SpoolName(name.text).attempts == attempts)
        #expect(name.text.contains("attempts") == (attempts > 0))
        #expect(name.text.wholeMatch(of: /[0-9]{10,}\.N[0-9]{9}P[0-9]+\.[^\/:]*/) != nil)
        #expect(name.text < SpoolName(attempts: 0).text)
    }

    @Test(
        "the pause before the next attempt is five minutes at first, then doubles",
        arguments: [
            ("1000.a,attempts=1", 1000, true), ("1000.a,attempts=1", 1299, true),
            ("1000.a,attempts=1", 1300, false), ("1000.a,attempts=2", 1599, true),
            ("1000.a,attempts=2", 1600, false), ("1000.a,attempts=4", 3399, true),
            ("1000.a,attempts=4", 3400, false), ("1000.a,attempts=900", 1_000_000, false),
            ("1000.a", 1000, false),
            // The clock was wrong at the last attempt, or is wrong now.
            ("1000.a,attempts=1", 999, false),
        ])
    func pause(name: String, now: Int, isPausing: Bool) {
        #expect(SpoolName(name).isPausing(at: now) == isPausing)
    }
}
