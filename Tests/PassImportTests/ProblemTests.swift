import Archives
import MailContainers
import Testing

@testable import PassImport

@Suite("Problems contain text of the input, which counts towards the memory limit")
struct ProblemTests {
    private static let name = String(repeating: "n", count: 100_000)

    @Test(
        "names of members and attachments count",
        arguments: [
            Problem.Kind.archive(.sparse(name: name)), .archive(.unknownType(name: name, type: 88)),
            .member(.encrypted(name: name)), .archiveTooLarge(.entryTooLarge(name: name, limit: 1)),
            .member(.overlap(name: name, other: name)), .externalBody(place: name),
            .container(.tnef(.attachmentTruncated(name: name))),
            .container(.outlook(.attachmentTruncated(name: name))),
        ])
    func names(kind: Problem.Kind) {
        #expect(kind.textSize >= 100_000)
    }
}
