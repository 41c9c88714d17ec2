import Glibc
import Platform
import Testing

@testable import Fetching

@Suite("A failure is sent by passconduit-fetch as a line of JSON")
struct FetchFailureTests {
    @Test(
        "it can be decoded unchanged",
        arguments: [
            FetchFailureReason.notURL, .status(host: "a.example", code: 503),
            .forbiddenAddress(host: nil, address: "::1", .loopback),
            .redirectToUnfetchable(host: "a.example", .unknownScheme("ftp")),
            .certificate(host: "a.example", .issuerExpired(name: nil, HTTPDate(seconds: 5))),
            .certificate(host: "a.example", .forOtherHosts(["b.example", "\u{202E}"], more: 2)),
            .connectionFailed(.proxy("p:1"), ETIMEDOUT), .file(FileError(.write, ENOSPC)),
            .tooLarge(host: "a.example", size: nil, limit: 1),
        ])
    func roundTrip(reason: FetchFailureReason) throws {
        let failure = FetchFailure(reason, retryAfter: 0.5)
        let line = try JSONLines.line(FetchEvent.failed(id: 7, failure))
        #expect(
            try JSONLines.value(FetchEvent.self, from: Array(line.dropLast()))
                == .failed(id: 7, failure))
    }

    @Test("in the form documented at its type")
    func example() throws {
        let failure = FetchFailure(.status(host: "example.com", code: 503), retryAfter: 120)
        let line = #"{"reason":{"status":{"code":503,"host":"example.com"}},"retryAfter":120}"#
        #expect(try JSONLines.value(FetchFailure.self, from: Array(line.utf8)) == failure)
        #expect(failure.code == .status)
        #expect(failure.status == 503)
        #expect(failure.isTransient)
    }

    @Test("the code depends on which server did not respond")
    func peers() {
        #expect(FetchFailureReason.refused(.server("a")).code == .connection)
        #expect(FetchFailureReason.refused(.proxy("a")).code == .proxy)
    }
}
