internal import NIOCore
internal import Synchronization

/// Counts the bytes of answers being sent, since a slow reader keeps its answer in memory.
final class AnswersInFlight: Sendable {
    private struct Counts {
        var all = 0
        var ofClients: [ClientAddress: Int] = [:]
    }
    private let limits: ServiceLimits
    private let counts = Mutex(Counts())

    init(_ limits: ServiceLimits) {
        self.limits = limits
    }

    /// Reserves memory for an answer until the reservation is released.
    ///
    /// - Returns: Nil if the answers to all clients, or to this client, would exceed the limit. A
    ///   single answer is always allowed.
    func reserve(_ size: Int, for client: ClientAddress?) -> Reservation? {
        let isAllowed = counts.withLock { counts in
            guard counts.all == 0 || counts.all + size <= limits.answerBytes else { return false }
            if let client {
                let own = counts.ofClients[client] ?? 0
                guard own == 0 || own + size <= limits.clientAnswerBytes else { return false }
                counts.ofClients[client] = own + size
            }
            counts.all += size
            return true
        }
        return isAllowed ? Reservation(self, size, client) : nil
    }

    fileprivate func release(_ size: Int, _ client: ClientAddress?) {
        counts.withLock { counts in
            counts.all -= size
            guard let client, let own = counts.ofClients[client] else { return }
            counts.ofClients[client] = own > size ? own - size : nil
        }
    }

    /// A reservation, released with its last reference.
    final class Reservation: Sendable {
        private let answers: AnswersInFlight
        private let size: Int
        private let client: ClientAddress?

        fileprivate init(_ answers: AnswersInFlight, _ size: Int, _ client: ClientAddress?) {
            self.answers = answers
            self.size = size
            self.client = client
        }

        deinit {
            answers.release(size, client)
        }
    }
}
