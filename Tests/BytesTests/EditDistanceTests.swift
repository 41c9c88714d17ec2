import Bytes
import Testing

@Suite("The distance of two words is the number of mistakes between them")
struct EditDistanceTests {
    @Test(
        "the distance counts insertions, deletions, replacements and swaps",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("show", "show", 0), ("shwo", "show", 1),
            ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("ab", "ba", 1), ("ca", "abc", 3),
            ("converse", "cnoevrse", 2), ("東京", "京東", 1),
        ])
    func distance(one: String, other: String, distance: Int) {
        #expect(editDistance(Array(one), Array(other)) == distance)
        #expect(editDistance(Array(other), Array(one)) == distance)
    }
}
