import Testing

@testable import Cryptography

@Suite("All derivations of keys in a file together have one limit")
struct PasswordCostTests {
    @Test("repetitions add up to ten million")
    func sum() {
        var cost = PasswordCost()
        let taken = [6_000_000, 6_000_000, 4_000_000, 1, 0, -1, Int.max].map { cost.takes($0) }
        #expect(taken == [true, false, true, false, true, false, false])
    }
}
