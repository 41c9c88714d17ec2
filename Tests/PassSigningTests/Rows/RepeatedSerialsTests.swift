import PassSigning
import Testing

@Suite("Serial numbers that occur again are found with the line of the first")
struct RepeatedSerialsTests {
    /// The line of the first occurrence for each key that occurs again, by its line.
    private func repeated(_ keys: [[String]], limit: Int = 10) throws -> [Int: Int] {
        var survey = RepeatedSerials.Survey(limit: limit)
        for key in keys { try survey.add(key[0], key[1]) }
        var serials = RepeatedSerials(survey)
        var repeated: [Int: Int] = [:]
        for (line, key) in keys.enumerated() {
            repeated[line] = serials.firstLine(of: key[0], key[1], on: line)
        }
        return repeated
    }

    @Test(
        "pass type and serial number count, byte by byte",
        arguments: [
            ([["p", "1"], ["p", "2"]], [:]), ([["p", "1"], ["p", "1"]], [1: 0]),
            ([["p", "1"], ["q", "1"]], [:]), ([["p1", ""], ["p", "1"]], [:]),
            (
                [["p", "1"], ["p", "2"], ["p", "1"], ["p", "2"], ["p", "1"]], [2: 0, 3: 1, 4: 0]
            ),
            ([["p", "é"], ["p", "e\u{301}"]], [:]), ([["p", ""], ["p", ""]], [1: 0]),
        ] as [([[String]], [Int: Int])])
    func pairs(keys: [[String]], expected: [Int: Int]) throws {
        #expect(try repeated(keys) == expected)
    }

    @Test("no different serial number counts as repeated among 100,000")
    func many() throws {
        let keys = (0..<100_000).map { ["pass.com.example", "\($0 % 99_999)"] }
        #expect(try repeated(keys, limit: 100) == [99_999: 0])
    }

    @Test("the number of repeated ones is limited")
    func limit() throws {
        let keys = (0..<22).map { ["p", "\($0 / 2)"] }
        #expect(try repeated(Array(keys.prefix(20))).count == 10)
        #expect(throws: RowFileError.tooManyRepeats(limit: 10)) { try repeated(keys) }
    }
}
