import PassService
import Testing

@Suite("The time between attempts doubles up to a cap, and varies")
struct BackOffTests {
    @Test(
        "the largest time after each failure",
        arguments: [
            (-1, 5), (0, 5), (1, 5), (2, 10), (3, 20), (10, 2560), (11, 3600), (64, 3600),
            (Int.max, 3600),
        ] as [(Int, Double)])
    func delays(failures: Int, most: Double) {
        let delays = (0..<1000).map { _ in
            BackOff(first: 5, cap: 3600).delay(after: failures)
        }
        #expect(delays.allSatisfy { most / 2 <= $0 && $0 <= most })
        #expect(Set(delays).count > 900)
    }
}
