package import Foundation

/// The functions that claim and settle pushes for a sender, from a store or a test.
package struct PushOutbox: Sendable {
    /// Claims due pushes.
    ///
    /// The arguments are the pass types (nil for all), the pass types to skip, the maximum number
    /// of pushes, the lease in seconds, and the time.
    package typealias Claim =
        @Sendable (
            _ types: Set<String>?, _ excepted: Set<String>, _ limit: Int, _ lease: TimeInterval,
            _ time: Date
        ) async throws(ServiceError) -> [PendingPush]

    /// Settles claimed pushes.
    package typealias Settle =
        @Sendable (
            _ outcomes: [(PendingPush, PushOutcome)], _ time: Date
        ) async throws(ServiceError) -> Void

    package let claim: Claim
    package let settle: Settle

    package init(claim: @escaping Claim, settle: @escaping Settle) {
        self.claim = claim
        self.settle = settle
    }

    init(_ store: ServiceStore) {
        claim = { types, excepted, limit, lease, time throws(ServiceError) in
            try await store.claimPushes(
                ofTypes: types, except: excepted, limit: limit, lease: lease, at: time)
        }
        settle = { outcomes, time throws(ServiceError) in
            try await store.settle(outcomes, at: time)
        }
    }
}
