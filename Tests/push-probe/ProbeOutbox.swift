import Foundation
import PassService
import Synchronization

/// An outbox in memory, with one push for each of many devices.
final class ProbeOutbox: Sendable {
    private struct State {
        var next = 0
        var delivered = 0
        var settled = 0
    }

    private let state = Mutex(State())
    private let count: Int
    private let type: String

    init(count: Int, type: String) {
        self.count = count
        self.type = type
    }

    var delivered: Int { state.withLock { $0.delivered } }

    func waitUntilEmpty() async {
        while state.withLock({ $0.settled }) < count {
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    var outbox: PushOutbox {
        PushOutbox(
            claim: { _, _, limit, _, _ throws(ServiceError) in self.claim(limit) },
            settle: { outcomes, _ throws(ServiceError) in self.settle(outcomes.map(\.1)) })
    }

    private func claim(_ limit: Int) -> [PendingPush] {
        let numbers = state.withLock { state in
            let first = state.next
            state.next = min(first + limit, count)
            return first..<state.next
        }
        return numbers.map { number in
            let digits = String(number, radix: 16)
            let token = String(repeating: "0", count: 64 - digits.count) + digits
            return PendingPush(
                device: Int64(number), pushToken: token, passTypeIdentifier: type, tag: 1,
                attempts: 0)
        }
    }

    private func settle(_ outcomes: [PushOutcome]) {
        state.withLock { state in
            state.settled += outcomes.count
            state.delivered += outcomes.count { $0 == .delivered }
        }
    }
}
