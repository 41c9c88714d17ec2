import PassCommands
import Testing

@Suite("One exit code says the most important thing")
struct ExitCodeTests {
    @Test(
        "the numbers are those of the contract",
        arguments: [
            (ExitCode.done, 0), (.nothingFound, 1), (.unreadable, 2), (.notTrusted, 3),
            (.usage, 64),
        ] as [(ExitCode, Int32)])
    func numbers(code: ExitCode, number: Int32) {
        #expect(code.rawValue == number)
    }

    @Test("of two that apply, the one earlier in this order wins, whichever comes first")
    func precedence() {
        let order: [ExitCode] = [.usage, .unreadable, .notTrusted, .nothingFound, .done]
        for (index, stronger) in order.enumerated() {
            for weaker in order[index...] {
                #expect(stronger.joined(with: weaker) == stronger)
                #expect(weaker.joined(with: stronger) == stronger)
            }
        }
    }
}
