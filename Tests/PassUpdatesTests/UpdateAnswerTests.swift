import Fetching
import PassUpdates
import Testing

@Suite("Each response of a web service has one meaning")
struct UpdateAnswerTests {
    private func answer(_ status: Int, retryAfter: Double? = nil) -> UpdateAnswer {
        UpdateAnswer(
            FetchFailure(.status(host: "a.example", code: status), retryAfter: retryAfter))
    }

    @Test(arguments: [
        (204, UpdateAnswer.unchanged), (304, .unchanged), (400, .missing), (401, .refused),
        (403, .refused), (404, .missing), (405, .missing), (408, .wrong), (410, .refused),
        (425, .wrong), (429, .busy(retryAfter: nil)), (500, .wrong), (502, .wrong),
        (503, .busy(retryAfter: nil)), (504, .wrong), (206, .wrong), (301, .wrong), (999, .wrong),
    ])
    func statuses(status: Int, meaning: UpdateAnswer) {
        #expect(answer(status) == meaning)
    }

    @Test("Retry-After is returned", arguments: [429, 503])
    func retryAfter(status: Int) {
        #expect(answer(status, retryAfter: 120) == .busy(retryAfter: 120))
    }

    @Test(arguments: [
        (FetchFailureReason.unknownHost("a.example"), UpdateAnswer.silent),
        (.refused(.server("a.example")), .silent), (.tlsFailed(host: "a.example"), .silent),
        (.stalled(host: "a.example", seconds: 60), .silent),
        (.redirectLoop(host: "a.example"), .wrong),
        (.tooLarge(host: "a.example", size: nil, limit: 10), .wrong),
        (.cut(host: "a.example", received: 1, size: nil), .wrong),
        (.notHTTP(host: "a.example"), .wrong), (.privateName(host: "a.example"), .notAsked),
        (.insecure(host: "a.example"), .notAsked),
    ])
    func failures(reason: FetchFailureReason, meaning: UpdateAnswer) {
        #expect(UpdateAnswer(FetchFailure(reason)) == meaning)
    }
}
