import Fetching
import PassUpdates
import Testing

@Suite("Each answer of a web service has one meaning")
struct UpdateAnswerTests {
    private func answer(
        _ code: FetchFailure.Code, _ status: Int? = nil, retryAfter: Double? = nil
    ) -> UpdateAnswer {
        var failure = FetchFailure(code, "")
        failure.status = status
        failure.retryAfter = retryAfter
        return UpdateAnswer(failure)
    }

    @Test(arguments: [
        (204, UpdateAnswer.unchanged), (304, .unchanged), (400, .missing), (401, .refused),
        (403, .refused), (404, .missing), (405, .missing), (408, .wrong), (410, .refused),
        (425, .wrong), (429, .busy(retryAfter: nil)), (500, .wrong), (502, .wrong),
        (503, .busy(retryAfter: nil)), (504, .wrong), (206, .wrong), (301, .wrong), (999, .wrong),
    ])
    func statuses(status: Int, meaning: UpdateAnswer) {
        #expect(answer(.status, status) == meaning)
    }

    @Test("Retry-After is kept", arguments: [429, 503])
    func retryAfter(status: Int) {
        #expect(answer(.status, status, retryAfter: 120) == .busy(retryAfter: 120))
    }

    @Test(arguments: [
        (FetchFailure.Code.dns, UpdateAnswer.silent), (.connection, .silent), (.tls, .silent),
        (.timeout, .silent), (.redirect, .wrong), (.size, .wrong), (.cut, .wrong),
        (.http, .wrong), (.address, .notAsked), (.insecure, .notAsked), (.status, .wrong),
    ])
    func failures(code: FetchFailure.Code, meaning: UpdateAnswer) {
        #expect(answer(code) == meaning)
    }
}
