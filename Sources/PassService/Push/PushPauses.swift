internal import Foundation
internal import Logging

/// Pauses pushes for failing credentials, and for pass types that APNs refuses altogether. Logs the
/// beginning and the end of a pause, but not the failures in between.
///
/// Also stops trusting `BadDeviceToken` if there are too many.
struct PushPauses {
    private var servers: [Int: Pause] = [:]
    private var topics: [String: Pause] = [:]
    /// For each topic, the number of tokens that APNs called invalid minus the number of pushes
    /// that it accepted meanwhile, at least 0.
    private var invalid: [String: Int] = [:]
    private let messages = OncePerMinute()
    private let options: PushOptions
    private let logger: Logger

    private struct Pause {
        var failures: Int
        var end: Date
    }

    private static let serverBackOff = BackOff(first: 1, cap: 60)
    /// Recovery takes a person: a certificate to renew, or an option to correct.
    private static let topicBackOff = BackOff(first: 300, cap: 3600)

    init(_ options: PushOptions, _ logger: Logger) {
        self.options = options
        self.logger = logger
    }

    /// The end of the pause for a topic and a credential; nil if there is none.
    func end(_ credential: Int, _ topic: String, at time: Date) -> Date? {
        let ends = [servers[credential], topics[topic]].compactMap { $0?.end }
        return ends.max().flatMap { $0 > time ? $0 : nil }
    }

    func isPaused(_ credential: Int, at time: Date) -> Bool {
        servers[credential].map { $0.end > time } ?? false
    }

    /// The topics that are paused with all credentials.
    func topics(at time: Date) -> Set<String> {
        Set(topics.filter { $1.end > time }.keys)
    }

    /// Records an answer, and returns the outcome of its push; nil if the request was cancelled.
    mutating func outcome(
        of answer: PushAnswer, to push: PendingPush, _ credential: Int, at time: Date
    ) -> PushOutcome? {
        let topic = push.passTypeIdentifier
        let retry = PushOutcome.postponed(
            until: time + Self.pushBackOff.delay(after: push.attempts + 1))
        switch answer {
        case .final(let outcome):
            reached(credential)
            if topics.removeValue(forKey: topic) != nil {
                logger.notice("recovered", metadata: ["passType": "\(topic)"])
            }
            return final(outcome, push, at: time)
        case .busy:
            reached(credential)
            return retry
        case .unreachable(let reason):
            if servers[credential] == nil {
                logger.warning(
                    "unreachable",
                    metadata: ["server": "\(options.host)", "reason": "\(reason)"])
            }
            Self.extend(&servers[credential], Self.serverBackOff, at: time)
            return retry
        case .misconfigured(let reason):
            reached(credential)
            return refused(topic, reason, at: time)
        case .cancelled:
            return nil
        }
    }

    private static let pushBackOff = BackOff(first: 5, cap: 3600)

    /// The number of invalid tokens, less accepted pushes, at which `BadDeviceToken` is no longer
    /// trusted: a wrong server would make the store remove all registrations, which never come
    /// back.
    private static let mostInvalid = 50

    private mutating func final(
        _ outcome: PushOutcome, _ push: PendingPush, at time: Date
    ) -> PushOutcome {
        let topic = push.passTypeIdentifier
        let count = invalid[topic] ?? 0
        switch outcome {
        case .invalidToken:
            guard count < Self.mostInvalid else {
                messages.log(
                    .error, "misconfigured", kind: topic,
                    metadata: ["passType": "\(topic)", "reason": "BadDeviceToken"], to: logger)
                // Other pushes continue: anyone who has a pass can register devices with invalid
                // tokens, and must not be able to stop the pushes of others.
                return .postponed(
                    until: time + Self.topicBackOff.delay(after: push.attempts + 1))
            }
            invalid[topic] = count + 1
        case .delivered, .unregistered:
            invalid[topic] = max(count - 1, 0)
        case .refused(let reason):
            messages.log(
                .warning, "refused", kind: reason,
                metadata: ["passType": "\(topic)", "reason": "\(reason)"], to: logger)
        case .postponed: break
        }
        return outcome
    }

    private mutating func reached(_ credential: Int) {
        guard servers.removeValue(forKey: credential) != nil else { return }
        logger.notice("reachable", metadata: ["server": "\(options.host)"])
    }

    private mutating func refused(
        _ topic: String, _ reason: String, at time: Date
    ) -> PushOutcome {
        if topics[topic] == nil {
            logger.error(
                "misconfigured", metadata: ["passType": "\(topic)", "reason": "\(reason)"])
        }
        let end = Self.extend(&topics[topic], Self.topicBackOff, at: time)
        // Spreads the retries over a minute.
        return .postponed(until: end + .random(in: 0...60))
    }

    /// Requests that were sent together and fail together count as one failure.
    @discardableResult private static func extend(
        _ pause: inout Pause?, _ backOff: BackOff, at time: Date
    ) -> Date {
        if let pause, pause.end > time { return pause.end }
        let failures = (pause?.failures ?? 0) + 1
        let end = time + backOff.delay(after: failures)
        pause = Pause(failures: failures, end: end)
        return end
    }
}
