import Testing

@testable import PassPresentation

@Suite("Amounts are short")
struct AmountsTests {
    @Test(
        "bytes",
        arguments: [
            (-1, "0 bytes"), (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"),
            (1949, "1.9 kB"), (9999, "10 kB"), (830_400_000, "830 MB"), (999_600_000, "1.0 GB"),
            (Int.max, "9223 PB"),
        ])
    func bytes(count: Int, words: String) {
        #expect(bytesInWords(count) == words)
    }

    @Test(
        "durations",
        arguments: [
            (-1, "0:00"), (0, "0:00"), (7.4, "0:07"), (750, "12:30"), (3723, "1:02:03"),
            (.infinity, "99:59:59"),
        ])
    func times(seconds: Double, words: String) {
        #expect(clock(seconds) == words)
    }

    @Test(
        "counts",
        arguments: [
            (0, "0 passes"), (1, "1 pass"), (999, "999 passes"), (1000, "1,000 passes"),
            (1_234_567, "1,234,567 passes"),
        ])
    func counts(number: Int, words: String) {
        #expect(counted("{count} pass", "{count} passes", number) == words)
    }
}
