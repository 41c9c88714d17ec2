// Until the store has the outbox: its types, and a store without pushes.

public import Foundation

/// A push to a device that is due: one per device and pass type, however many passes changed.
public struct PendingPush: Sendable, Hashable {
    public let device: Int64
    public let pushToken: String
    public let passTypeIdentifier: String
    /// The tag of the last change.
    public let tag: Int64
    /// The number of earlier attempts.
    public let attempts: Int

    package init(
        device: Int64, pushToken: String, passTypeIdentifier: String, tag: Int64, attempts: Int
    ) {
        self.device = device
        self.pushToken = pushToken
        self.passTypeIdentifier = passTypeIdentifier
        self.tag = tag
        self.attempts = attempts
    }
}

/// What became of a push.
public enum PushOutcome: Sendable, Hashable {
    case delivered
    case unregistered(at: Date?)
    case invalidToken
    case postponed(until: Date)
    case refused(reason: String)
}

extension ServiceStore {
    func claimPushes(
        ofTypes types: Set<String>?, limit: Int, lease: TimeInterval, at time: Date
    ) async throws(ServiceError) -> [PendingPush] {
        []
    }

    func settle(
        _ outcomes: [(PendingPush, PushOutcome)], at time: Date
    ) async throws(ServiceError) {}
}
