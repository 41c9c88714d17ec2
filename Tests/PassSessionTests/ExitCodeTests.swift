import PassSession
import Testing

@Suite("The exit code reports the most important result")
struct ExitCodeTests {
    @Test(
        "the numbers are those of the documentation",
        arguments: [
            (ExitCode.done, 0), (.nothingFound, 1), (.unreadable, 2), (.notTrusted, 3),
            (.usage, 64),
        ] as [(ExitCode, Int32)])
    func numbers(code: ExitCode, number: Int32) {
        #expect(code.rawValue == number)
    }

    @Test("if two codes apply, the more serious one is used, whichever comes first")
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
