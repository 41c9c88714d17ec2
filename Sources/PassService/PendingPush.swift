internal import Databases
public import Foundation

/// A push that is due. Each device has at most one per pass type, however many passes changed.
///
/// ```swift
/// for push in try await store.claimPushes(limit: 100, lease: 60) { print(push.attempts) }
/// ```
public struct PendingPush: Sendable, Hashable {
    /// The number of the device in the store.
    public let device: Int64
    /// The last push token that the device sent.
    public let pushToken: String
    /// The pass type identifier, which is the topic of the push.
    public let passTypeIdentifier: String
    /// The tag of the last change to the device's passes of this type.
    public let tag: Int64
    /// The number of earlier attempts.
    public let attempts: Int

    /// Creates a push.
    ///
    /// ```swift
    /// let push = PendingPush(
    ///     device: 1, pushToken: "00ff", passTypeIdentifier: type, tag: 7, attempts: 0)
    /// ```
    public init(
        device: Int64, pushToken: String, passTypeIdentifier: String, tag: Int64, attempts: Int
    ) {
        self.device = device
        self.pushToken = pushToken
        self.passTypeIdentifier = passTypeIdentifier
        self.tag = tag
        self.attempts = attempts
    }
}

/// The outcome of an attempt to send a push.
///
/// For example: `let outcome = PushOutcome.delivered`
public enum PushOutcome: Sendable, Hashable {
    /// APNs accepted the push.
    case delivered
    /// APNs answered 410: the token was invalid at this time, or is now if the time is nil.
    /// Registrations that the device confirmed later are kept.
    case unregistered(at: Date?)
    /// APNs answered `BadDeviceToken`.
    case invalidToken
    /// The push will be tried again at this time.
    case postponed(until: Date)
    /// APNs refused the push for another reason, and would refuse it every time.
    case refused(reason: String)
}

extension ServiceStore {
    /// The longest delay of a push, in milliseconds. If a push is due later than this, the clock
    /// was set back after it was postponed.
    private static let longestDelay: Int64 = 7_200_000

    /// Claims pushes that are due. Other servers can claim them only after the lease ends, and only
    /// if they were not settled.
    ///
    /// For example: `let pushes = try await store.claimPushes(limit: 1000, lease: 60)`
    ///
    /// - Parameters:
    ///   - types: The pass type identifiers; nil for all.
    ///   - others: Pass type identifiers to skip.
    ///   - limit: The maximum number of pushes.
    ///   - lease: The duration of the claim, in seconds.
    ///   - time: The time of the claim.
    public func claimPushes(
        ofTypes types: Set<String>? = nil, except others: Set<String> = [], limit: Int,
        lease: TimeInterval, at time: Date = .now
    ) async throws(ServiceError) -> [PendingPush] {
        let (now, end) = (milliseconds(time), milliseconds(time + lease))
        let farFuture = max(now + Self.longestDelay, end)
        var values: [SQLValue] = [
            .integer(now), .integer(end), .integer(Int64(limit)), .integer(farFuture),
        ]
        /// Adds the names to the parameters, and returns their list for SQL.
        func list(_ names: Set<String>) -> String {
            names.sorted().map { name in
                values.append(.text(name))
                return "$\(values.count)"
            }.joined(separator: ", ")
        }
        var condition = ""
        if let types {
            if types.isEmpty { return [] }
            condition += "AND passTypeIdentifier IN (\(list(types)))"
        }
        if !others.isEmpty { condition += " AND passTypeIdentifier NOT IN (\(list(others)))" }
        let (arguments, filter) = (values, condition)
        return try await write { db in
            // PostgreSQL could run a subquery more than once and lock different rows each time.
            let rows = try db.rows(
                """
                WITH duePushes AS MATERIALIZED (
                    SELECT device, passTypeIdentifier FROM outbox
                    WHERE (due <= $1 OR due > $4) \(filter) ORDER BY due LIMIT $3
                    \(db.dialect.lockingFreeRows))
                UPDATE outbox SET due = $2, attempts = attempts + 1
                WHERE (device, passTypeIdentifier) IN (
                    SELECT device, passTypeIdentifier FROM duePushes)
                RETURNING device, passTypeIdentifier, tag, attempts,
                    (SELECT pushToken FROM devices WHERE devices.id = outbox.device)
                """, arguments)
            return try rows.map { row in
                PendingPush(
                    device: try row.integer(0), pushToken: try row.text(4),
                    passTypeIdentifier: try row.text(1), tag: try row.integer(2),
                    attempts: Int(try row.integer(3)) - 1)
            }
        }
    }

    /// The pass types with pushes that no server has claimed yet.
    ///
    /// For example: `let types = try await store.unclaimedPushTypes()`
    public func unclaimedPushTypes() async throws(ServiceError) -> Set<String> {
        try await read { db in
            let rows = try db.rows(
                """
                SELECT DISTINCT passTypeIdentifier FROM outbox WHERE due = 0 AND attempts = 0
                """)
            return Set(try rows.map { row in try row.text(0) })
        }
    }

    /// Stores the outcomes of attempts to send pushes.
    ///
    /// A delivered push is removed. If a pass changed since the claim, or the device sent another
    /// token, the push is due again at once instead.
    ///
    /// For example: `try await store.settle([(push, .delivered)])`
    public func settle(
        _ outcomes: [(push: PendingPush, outcome: PushOutcome)], at time: Date = .now
    ) async throws(ServiceError) {
        guard !outcomes.isEmpty else { return }
        let now = milliseconds(time)
        // All servers lock devices in the same order, to avoid deadlocks.
        let outcomes = outcomes.sorted { $0.push.device < $1.push.device }
        try await write { db in
            var counts: [ServiceCounter: Int] = [:]
            for (push, outcome) in outcomes {
                switch outcome {
                case .delivered:
                    try push.end(db)
                    counts[.deliveredPushes, default: 0] += 1
                case .refused:
                    try push.end(db)
                    counts[.refusedPushes, default: 0] += 1
                case .postponed(let next):
                    try push.postpone(
                        db, until: min(milliseconds(next), now + Self.longestDelay))
                case .unregistered(let end):
                    // A timestamp in the future is replaced by the current time.
                    let removed = try push.unregister(
                        db, now, confirmedBefore: min(end.map(milliseconds) ?? now, now))
                    counts[.removedRegistrations, default: 0] += removed
                case .invalidToken:
                    let removed = try push.unregister(db, now, confirmedBefore: .max)
                    counts[.removedRegistrations, default: 0] += removed
                }
            }
            // Updated last, since other servers wait for the locks on these rows.
            for (counter, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                try db.add(count, to: counter)
            }
        }
    }
}

extension PendingPush {
    /// The number of attempts, of any outcome, after which a push is given up if APNs refuses the
    /// token that the device confirmed more than an hour ago.
    private static let attemptsOfInvalidToken = 6

    /// Removes the push. If a pass changed since the claim, or the device sent another token, makes
    /// the push due again instead.
    fileprivate func end(_ db: borrowing any SQLTransaction) throws {
        let removed = try db.rows(
            """
            DELETE FROM outbox WHERE device = $1 AND passTypeIdentifier = $2 AND tag <= $3
            AND $4 = (SELECT pushToken FROM devices WHERE id = device)
            RETURNING device
            """,
            .integer(device), .text(passTypeIdentifier), .integer(tag), .text(pushToken))
        if removed.isEmpty { try postpone(db, until: 0, attempts: 0) }
    }

    fileprivate func postpone(_ db: borrowing any SQLTransaction, until next: Int64) throws {
        try postpone(db, until: next, attempts: attempts + 1)
    }

    private func postpone(
        _ db: borrowing any SQLTransaction, until next: Int64, attempts: Int
    ) throws {
        // If the push was claimed again, it belongs to another server.
        try db.rows(
            """
            UPDATE outbox SET due = $1, attempts = $2
            WHERE device = $3 AND passTypeIdentifier = $4 AND attempts = $5
            """,
            .integer(next), .integer(Int64(attempts)), .integer(device),
            .text(passTypeIdentifier), .integer(Int64(self.attempts + 1)))
    }

    /// Removes the registrations of the device for this pass type, unless the device has sent
    /// another token, or confirmed a registration at or after this time: the token was then valid
    /// again (Apple, "Handling notification responses from APNs", `timestamp`).
    ///
    /// - Returns: The number of removed registrations.
    fileprivate func unregister(
        _ db: borrowing any SQLTransaction, _ now: Int64, confirmedBefore limit: Int64
    ) throws -> Int {
        _ = try db.lockDevice("id = $1", .integer(device))
        let last = try db.row(
            """
            SELECT max(confirmed) FROM registrations
            JOIN passes ON passes.id = registrations.pass
            JOIN devices ON devices.id = registrations.device
            WHERE device = $1 AND passTypeIdentifier = $2 AND pushToken = $3
            """, .integer(device), .text(passTypeIdentifier), .text(pushToken))
        guard case .integer(let confirmed)? = last?[0] else {
            try end(db)
            return 0
        }
        guard confirmed < limit else {
            if attempts >= Self.attemptsOfInvalidToken, confirmed < now - 3_600_000 {
                try end(db)
            } else {
                // Delays from one minute to one hour.
                try postpone(db, until: now + 60_000 << Int64(min(attempts, 6)))
            }
            return 0
        }
        let removed = try db.rows(
            """
            DELETE FROM registrations WHERE device = $1
            AND pass IN (SELECT id FROM passes WHERE passTypeIdentifier = $2)
            RETURNING pass
            """, .integer(device), .text(passTypeIdentifier))
        try db.rows(
            "DELETE FROM outbox WHERE device = $1 AND passTypeIdentifier = $2",
            .integer(device), .text(passTypeIdentifier))
        try db.removeIfUnregistered(device)
        return removed.count
    }
}

/// Milliseconds since 1970.
func milliseconds(_ time: Date) -> Int64 {
    let milliseconds = (time.timeIntervalSince1970 * 1000).rounded(.down)
    return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
}
