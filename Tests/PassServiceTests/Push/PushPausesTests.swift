import Foundation
import InMemoryLogging
import Logging
import Testing

@testable import PassService

@Suite("Too many invalid tokens are not trusted, and refusals are logged once")
struct PushPausesTests {
    private let log = InMemoryLogHandler()
    private let noon = Date(timeIntervalSince1970: 1_790_000_000)
    private var pauses: PushPauses

    init() {
        let log = log
        pauses = PushPauses(PushOptions(), Logger(label: "test") { _ in log })
    }

    private mutating func outcome(
        of outcome: PushOutcome, type: String = PushSite.type
    ) -> PushOutcome? {
        let push = PendingPush(
            device: 1, pushToken: token(1), passTypeIdentifier: type, tag: 1, attempts: 0)
        return pauses.outcome(of: .final(outcome), to: push, 0, at: noon)
    }

    private var reasons: [String] {
        log.entries.map { "\($0.message) \($0.metadata["reason"].map { "\($0)" } ?? "")" }
    }

    @Test("a server that calls all tokens invalid removes few registrations")
    mutating func wrongServer() {
        let outcomes = (0..<1000).map { _ in outcome(of: .invalidToken) }
        #expect(outcomes.count { $0 == .invalidToken } == 50)
        for case .postponed(let date)? in outcomes {
            #expect((150...300).contains(date.timeIntervalSince(noon)))
        }
        #expect(reasons == ["misconfigured BadDeviceToken"])
        // A client that invents tokens does not stop the pushes of others.
        #expect(pauses.end(0, PushSite.type, at: noon) == nil)
        #expect(outcome(of: .invalidToken, type: PushSite.otherType) == .invalidToken)
    }

    @Test("each accepted push allows for another invalid token")
    mutating func rightServer() {
        for _ in 0..<1000 {
            #expect(outcome(of: .invalidToken) == .invalidToken)
            #expect(outcome(of: .delivered) == .delivered)
        }
        for _ in 0..<50 { #expect(outcome(of: .invalidToken) == .invalidToken) }
        #expect(outcome(of: .invalidToken) != .invalidToken)
        #expect(outcome(of: .unregistered(at: nil)) == .unregistered(at: nil))
        #expect(outcome(of: .invalidToken) == .invalidToken)
        #expect(outcome(of: .invalidToken) != .invalidToken)
    }

    @Test("each reason of a refusal is logged once per minute")
    mutating func refusals() {
        for reason in ["DeviceTokenNotForTopic", "PayloadTooLarge", "DeviceTokenNotForTopic"] {
            #expect(outcome(of: .refused(reason: reason)) == .refused(reason: reason))
        }
        #expect(reasons == ["refused DeviceTokenNotForTopic", "refused PayloadTooLarge"])
    }
}
