internal import Foundation
public import Logging
public import ServiceLifecycle
internal import Synchronization

/// Notifies devices of changed passes through Apple's push service, APNs.
///
/// The store holds one due push for each device and pass type. The sender claims due pushes, sends
/// many at a time, and settles them: it removes devices that APNs no longer knows, and retries
/// temporary failures later. If the program ends before a claimed push is settled, the push is due
/// again after ``PushOptions/lease``.
///
/// If the store or APNs is unavailable, the sender logs that once and continues later. It never
/// logs push tokens.
///
/// ```swift
/// let sender = try PushSender(store, credentials: [credential])
/// var application = Application(responder: responder)
/// application.addServices(sender)
/// try await application.runService()
/// ```
public final class PushSender: Service {
    private let outbox: PushOutbox
    private let credentials: [PushCredential]
    private let options: PushOptions
    private let logger: Logger
    private let total = Mutex(PushCounts())

    /// Creates a sender. It sends nothing until ``run()`` is called.
    ///
    /// For example: `let sender = try PushSender(store, credentials: [credential])`
    ///
    /// - Parameters:
    ///   - store: The store with the pushes.
    ///   - credentials: Certificates of pass types, and at most one key, which is used for all
    ///     other pass types. Pushes of types without a credential stay in the store.
    ///   - options: The server, the rate and the timeouts.
    ///   - logger: The logger for errors and recoveries.
    /// - Throws: ``PushError/unusableCertificate(certificate:)`` or ``PushError/badAuthorities``.
    public convenience init(
        _ store: ServiceStore, credentials: [PushCredential], options: PushOptions = PushOptions(),
        logger: Logger = Logger(label: "PushSender")
    ) throws(PushError) {
        try self.init(
            PushOutbox(store), credentials: credentials, options: options, logger: logger)
    }

    package init(
        _ outbox: PushOutbox, credentials: [PushCredential], options: PushOptions = PushOptions(),
        logger: Logger = Logger(label: "PushSender")
    ) throws(PushError) {
        self.outbox = outbox
        self.credentials = credentials
        self.options = options
        self.logger = logger
        for credential in credentials { try PushClient.check(credential, options) }
    }

    /// Whether there is a certificate or key for a pass type.
    ///
    /// For example: `let isPushed = sender.hasCredential(for: type)`
    public func hasCredential(for passType: String) -> Bool {
        credentials.contains { $0.passTypeIdentifier == passType || $0.passTypeIdentifier == nil }
    }

    /// The counts of pushes so far.
    ///
    /// For example: `let delivered = sender.counts.delivered`
    public var counts: PushCounts { total.withLock { $0 } }

    /// Sends pushes until the service group shuts down or the task is cancelled.
    ///
    /// On a graceful shutdown, waits for the answers to pushes in progress, for at most
    /// ``PushOptions/grace`` seconds.
    ///
    /// For example: `try await sender.run()`
    public func run() async throws {
        var clients: [PushClient] = []
        for credential in credentials { clients.append(try PushClient(credential, options)) }
        await withTaskGroup(of: Event.self) { tasks in
            var round = Round(clients, options, logger)
            tasks.addTask {
                try? await gracefulShutdown()
                return .stop
            }
            while let event = await next(&round, &tasks) { handle(event, &round, &tasks) }
            tasks.cancelAll()
        }
        for client in clients { await client.shutDown() }
    }

    private enum Event: Sendable {
        case stop
        case graceEnded
        /// Time to check the store for due pushes.
        case poll
        /// Time to settle the collected outcomes.
        case flush
        case claimed(Result<[PendingPush], ServiceError>, limit: Int)
        case answered(PendingPush, PushAnswer, credential: Int)
        case settled(Result<Void, ServiceError>, [(PendingPush, PushOutcome)])
    }

    /// The state of a running sender, which only its own task changes.
    private struct Round {
        let clients: [PushClient]
        var pauses: PushPauses
        /// The number of requests in progress.
        var active = 0
        var unsettled: [(PendingPush, PushOutcome)] = []
        var isClaiming = false
        var isSettling = false
        /// Whether the store may have due pushes.
        var mayClaim = true
        /// Whether to settle even a few outcomes.
        var isFlushDue = false
        var isFlushPlanned = false
        var isStopping = false
        var isGraceOver = false
        /// The number of consecutive failures of the store.
        var storeFailures = 0
        /// Whether the last settlement failed. Nothing is claimed until one succeeds; otherwise the
        /// same pushes would be sent again and again.
        var isSettlementDue = false

        init(_ clients: [PushClient], _ options: PushOptions, _ logger: Logger) {
            self.clients = clients
            pauses = PushPauses(options, logger)
        }

        /// The credential for a pass type.
        func credential(for type: String) -> Int? {
            clients.lastIndex { $0.credential.passTypeIdentifier == type }
                ?? clients.lastIndex { $0.credential.passTypeIdentifier == nil }
        }

        /// The pass types that can be pushed now; nil for all except those in `excepted`.
        func types(at time: Date) -> (types: Set<String>?, excepted: Set<String>) {
            let certified = Set(clients.compactMap(\.credential.passTypeIdentifier))
            let ready = certified.filter { type in
                credential(for: type).flatMap { pauses.end($0, type, at: time) } == nil
            }
            let key = clients.lastIndex { $0.credential.passTypeIdentifier == nil }
            guard let key, !pauses.isPaused(key, at: time) else { return (ready, []) }
            return (nil, pauses.topics(at: time).union(certified.subtracting(ready)))
        }
    }

    /// Starts all work that is possible now, and waits for the next event; nil at the end.
    private func next(
        _ round: inout Round, _ tasks: inout TaskGroup<Event>
    ) async -> Event? {
        claim(&round, &tasks)
        settle(&round, &tasks)
        let isIdle = round.active == 0 && !round.isClaiming && !round.isSettling
        if round.isStopping, round.isGraceOver || isIdle && round.unsettled.isEmpty { return nil }
        return await tasks.next()
    }

    private func claim(_ round: inout Round, _ tasks: inout TaskGroup<Event>) {
        let room = options.streams - round.active
        guard !round.isStopping, !round.isClaiming, round.mayClaim, !round.isSettlementDue,
            room > 0, room >= options.streams / 4, round.unsettled.count < options.streams * 4
        else { return }
        let time = Date.now
        let (types, excepted) = round.types(at: time)
        guard types?.isEmpty != true else {
            round.mayClaim = false
            return poll(after: options.pollInterval, &tasks)
        }
        round.isClaiming = true
        tasks.addTask { [outbox, options] in
            do throws(ServiceError) {
                let pushes = try await outbox.claim(
                    types, excepted, room, options.lease, time)
                return .claimed(.success(pushes), limit: room)
            } catch {
                return .claimed(.failure(error), limit: room)
            }
        }
    }

    /// The number of outcomes to settle in one transaction.
    private static let batch = 250

    private func settle(_ round: inout Round, _ tasks: inout TaskGroup<Event>) {
        guard !round.isSettling, !round.unsettled.isEmpty else { return }
        guard round.isFlushDue || round.isStopping || round.unsettled.count >= Self.batch else {
            if !round.isFlushPlanned {
                round.isFlushPlanned = true
                wait(0.05, then: .flush, &tasks)
            }
            return
        }
        // After a failure, the planned flush is the next attempt.
        guard !round.isSettlementDue || round.isFlushDue else { return }
        let outcomes = round.unsettled
        round.unsettled = []
        round.isSettling = true
        round.isFlushDue = false
        tasks.addTask { [outbox] in
            do throws(ServiceError) {
                try await outbox.settle(outcomes, .now)
                return .settled(.success(()), outcomes)
            } catch {
                return .settled(.failure(error), outcomes)
            }
        }
    }

    private func handle(
        _ event: Event, _ round: inout Round, _ tasks: inout TaskGroup<Event>
    ) {
        switch event {
        case .stop:
            round.isStopping = true
            wait(options.grace, then: .graceEnded, &tasks)
        case .graceEnded:
            round.isGraceOver = true
        case .poll:
            round.mayClaim = true
        case .flush:
            (round.isFlushDue, round.isFlushPlanned) = (true, false)
        case .claimed(.success(let pushes), let limit):
            round.isClaiming = false
            if !round.isSettlementDue { storeAnswered(&round) }
            // Claimed pushes that are not sent are due again after the lease.
            guard !round.isStopping else { return }
            if pushes.count < limit {
                round.mayClaim = false
                poll(after: options.pollInterval, &tasks)
            }
            for push in pushes { send(push, &round, &tasks) }
        case .claimed(.failure(let error), _):
            round.isClaiming = false
            round.mayClaim = false
            poll(after: storeFailed(error, &round), &tasks)
        case .answered(let push, let answer, let credential):
            round.active -= 1
            let outcome = round.pauses.outcome(of: answer, to: push, credential, at: .now)
            if let outcome { round.unsettled.append((push, outcome)) }
        case .settled(.success, let outcomes):
            round.isSettling = false
            round.isSettlementDue = false
            storeAnswered(&round)
            total.withLock { total in
                for (_, outcome) in outcomes { total.add(outcome) }
            }
        case .settled(.failure(let error), let outcomes):
            round.isSettling = false
            round.unsettled = outcomes + round.unsettled
            round.isSettlementDue = true
            round.isFlushPlanned = true
            wait(storeFailed(error, &round), then: .flush, &tasks)
        }
    }

    private func send(
        _ push: PendingPush, _ round: inout Round, _ tasks: inout TaskGroup<Event>
    ) {
        let topic = push.passTypeIdentifier
        guard let credential = round.credential(for: topic) else { return }
        if let end = round.pauses.end(credential, topic, at: .now) {
            round.unsettled.append((push, .postponed(until: end)))
            return
        }
        round.active += 1
        let client = round.clients[credential]
        tasks.addTask {
            let answer = await client.push(to: push.pushToken, topic: topic)
            return .answered(push, answer, credential: credential)
        }
    }

    private static let storeBackOff = BackOff(first: 1, cap: 30)

    /// Logs an error of the store, and returns the time to the next attempt, in seconds.
    private func storeFailed(_ error: ServiceError, _ round: inout Round) -> TimeInterval {
        if round.storeFailures == 0 { logger.error("failed", error: error) }
        round.storeFailures += 1
        return Self.storeBackOff.delay(after: round.storeFailures)
    }

    private func storeAnswered(_ round: inout Round) {
        guard round.storeFailures > 0 else { return }
        round.storeFailures = 0
        logger.notice("recovered")
    }

    private func poll(after seconds: TimeInterval, _ tasks: inout TaskGroup<Event>) {
        wait(seconds, then: .poll, &tasks)
    }

    private func wait(
        _ seconds: TimeInterval, then event: Event, _ tasks: inout TaskGroup<Event>
    ) {
        tasks.addTask {
            try? await Task.sleep(for: .seconds(seconds))
            return event
        }
    }
}
