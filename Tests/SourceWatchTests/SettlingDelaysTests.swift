import MailSource
import Testing

@testable import SourceWatch

@Suite("A file that does not settle is read again after growing delays")
struct SettlingDelaysTests {
    private let one = Rescan.folder(Path("one"))
    private let two = Rescan.folder(Path("two"))

    @Test("up to a maximum, starting from the first delay once it has settled")
    func delays() {
        var delays = SettlingDelays()
        for seconds in [4, 8, 16, 32, 64, 128, 256, 256] {
            #expect(delays.next(for: [one], of: [one, two]) == [one: .seconds(seconds)])
        }
        #expect(delays.next(for: [two], of: [two]) == [two: .seconds(4)])
        #expect(delays.next(for: [one], of: [one]) == [one: .seconds(256)])
        #expect(delays.next(for: [], of: [one]) == [:])
        #expect(
            delays.next(for: [one, two], of: [one, two]) == [
                one: .seconds(4), two: .seconds(8),
            ])
        #expect(delays.next(for: [.everything], of: [.everything]) == [.everything: .seconds(4)])
        #expect(delays.next(for: [.everything], of: [.everything]) == [.everything: .seconds(8)])
    }
}
