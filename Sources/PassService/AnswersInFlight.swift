internal import Synchronization

/// Counts the bytes of answers being sent, since a slow reader keeps its answer in memory.
final class AnswersInFlight: Sendable {
    private let limit: Int
    private let size = Mutex(0)

    init(_ limits: ServiceLimits) {
        limit = limits.answerBytes
    }

    /// Reserves memory for an answer until the reservation is released.
    ///
    /// - Returns: Nil if all answers together would exceed the limit. A single answer is always
    ///   allowed.
    func reserve(_ count: Int) -> Reservation? {
        let isAllowed = size.withLock { size in
            guard size == 0 || size + count <= limit else { return false }
            size += count
            return true
        }
        return isAllowed ? Reservation(self, count) : nil
    }

    fileprivate func release(_ count: Int) {
        size.withLock { $0 -= count }
    }

    /// A reservation, released with its last reference.
    final class Reservation: Sendable {
        private let answers: AnswersInFlight
        private let count: Int

        fileprivate init(_ answers: AnswersInFlight, _ count: Int) {
            self.answers = answers
            self.count = count
        }

        deinit {
            answers.release(count)
        }
    }
}
