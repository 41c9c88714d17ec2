import Foundation
import PassService
import Synchronization

/// An outbox in memory, with the rules of the store.
final class TestOutbox: Sendable {
    struct Key: Hashable {
        let device: Int64
        let type: String
    }

    private struct Row {
        var token: String
        var tag: Int64
        var attempts = 0
        var due = Date.distantPast
    }

    private struct State {
        var rows: [Key: Row] = [:]
        var outcomes: [PushOutcome] = []
        var claims = 0
        var tag: Int64 = 0
        var isAway = false
        var refusals = 0
    }

    private let state = Mutex(State())

    /// A pass of a device changed.
    func publish(_ device: Int64, token: String, type: String = PushSite.type) {
        state.withLock { state in
            state.tag += 1
            let row = Row(token: token, tag: state.tag)
            state.rows[Key(device: device, type: type), default: row].tag = state.tag
            state.rows[Key(device: device, type: type)]?.token = token
        }
    }

    /// Whether the store fails.
    func setAway(_ isAway: Bool) {
        state.withLock { $0.isAway = isAway }
    }

    /// The next settlements fail.
    func refuseSettlements(_ count: Int) {
        state.withLock { $0.refusals = count }
    }

    /// Ends all leases and postponements.
    func makeDue() {
        state.withLock { state in
            for key in state.rows.keys { state.rows[key]?.due = .distantPast }
        }
    }

    var isEmpty: Bool { state.withLock { $0.rows.isEmpty } }
    var outcomes: [PushOutcome] { state.withLock { $0.outcomes } }
    /// How often the sender looked for pushes.
    var claims: Int { state.withLock { $0.claims } }

    var outbox: PushOutbox {
        PushOutbox(
            claim: { types, limit, lease, time throws(ServiceError) in
                try self.claim(types, limit, until: time + lease, time)
            },
            settle: { outcomes, time throws(ServiceError) in try self.settle(outcomes, time) })
    }

    private func claim(
        _ types: Set<String>?, _ limit: Int, until lease: Date, _ time: Date
    ) throws(ServiceError) -> [PendingPush] {
        try state.withLock { state throws(ServiceError) in
            state.claims += 1
            if state.isAway { throw .locked("store") }
            let due = state.rows.filter { key, row in
                row.due <= time && types?.contains(key.type) != false
            }
            return due.prefix(limit).map { key, row in
                state.rows[key]?.due = lease
                return PendingPush(
                    device: key.device, pushToken: row.token, passTypeIdentifier: key.type,
                    tag: row.tag, attempts: row.attempts)
            }
        }
    }

    private func settle(
        _ outcomes: [(PendingPush, PushOutcome)], _ time: Date
    ) throws(ServiceError) {
        try state.withLock { state throws(ServiceError) in
            if state.refusals > 0 {
                state.refusals -= 1
                throw .locked("store")
            }
            for (push, outcome) in outcomes {
                state.outcomes.append(outcome)
                let key = Key(device: push.device, type: push.passTypeIdentifier)
                switch outcome {
                case .postponed(let date):
                    state.rows[key]?.due = date
                    state.rows[key]?.attempts += 1
                case .delivered where state.rows[key]?.tag != push.tag:
                    state.rows[key]?.due = time
                default:
                    state.rows[key] = nil
                }
            }
        }
    }
}
