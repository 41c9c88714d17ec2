import Fetching
import Foundation
import MailSource
import PassModel
import PassStore
import PassVerification

/// The results of a run until they are recorded in the library and reported.
struct UpdateResults {
    /// The maximum number of responses recorded together, and of bodies verified together.
    private static let heldAnswers = 500
    private static let heldBodies = 32
    /// The maximum number of mistakes that are reported to a service.
    private static let mostFaults = 20
    /// The longest time that a response waits to be recorded while others are in progress.
    private static let longestHeld = Duration.seconds(1)

    private let library: PassLibrary
    private let options: UpdateOptions
    private var bodies: [ArrivedBody] = []
    private var notes: [UpdateNote] = []
    private var reports: [UpdateReport] = []
    private var faults: [FaultySource: [ServiceFault]] = [:]
    /// The hosts not to contact, and until when, as last recorded.
    private var leftAlone: [String: Date] = [:]
    private var settledAt = ContinuousClock.now
    private(set) var summary = UpdateSummary()

    init(_ library: PassLibrary, _ options: UpdateOptions) {
        self.library = library
        self.options = options
    }

    /// Whether to settle even if other responses arrive.
    var areDue: Bool {
        // The time limit applies even while a body arrives slowly, because then there is no pause.
        notes.count >= UpdateResults.heldAnswers || bodies.count >= UpdateResults.heldBodies
            || settledAt.duration(to: .now) >= UpdateResults.longestHeld
    }

    mutating func leaveOut(_ report: UpdateReport) {
        summary.notAsked += 1
        reports.append(report)
    }

    mutating func take(_ response: UpdateResponse) {
        switch response {
        case .body(let body): bodies.append(body)
        case .notModified(let update): noteUnchanged(update, status: 304)
        case .failed(let update, let failure):
            let answer = response.answer
            if answer == .unchanged { return noteUnchanged(update, status: failure.status) }
            if answer == .refused { summary.declined += 1 } else { summary.failed += 1 }
            let problem = UpdateProblem.fetch(failure)
            note(update.stored.current, answer, failures: update.failures, .failed, problem)
            var report = UpdateReport(update.stored, problem, update.service.place)
            report.status = failure.status
            reports.append(report)
        case .logged: break
        }
    }

    /// The mistakes of services so far.
    mutating func takeFaults() -> [FaultySource: [ServiceFault]] {
        defer { faults = [:] }
        return faults
    }

    private mutating func take(_ fault: ServiceFault, _ source: FaultySource?) {
        guard let source, faults[source, default: []].count < UpdateResults.mostFaults,
            faults[source]?.contains(fault) != true
        else { return }
        faults[source, default: []].append(fault)
    }

    /// Verifies the bodies, adds accepted passes to the library, and records and reports all
    /// responses.
    mutating func settle(
        leavingAlone hosts: [String: Date], _ report: (UpdateReport) throws -> Void
    ) async throws {
        defer { settledAt = .now }
        guard !bodies.isEmpty || !notes.isEmpty || !reports.isEmpty || hosts != leftAlone else {
            return
        }
        leftAlone = hosts
        let bodies = bodies
        self.bodies = []
        let judged = bodies.isEmpty ? [] : try await library.judge(bodies, options)
        let newer = zip(bodies, judged).compactMap { body, pass -> NewerPass? in
            guard case .newer(let verification, let pass) = pass else { return nil }
            return NewerPass(body: body, verification: verification, pass: pass)
        }
        var services: [(version: StoredVersion, service: WebService?)] = []
        for (pass, admitted) in zip(newer, try library.admitKnown(newer.map(\.incoming))) {
            // Do not add a pass that was removed in the meantime.
            if let admitted { try take(pass, admitted, &services) }
        }
        let copies = zip(bodies, judged).compactMap { body, pass -> IncomingPass? in
            guard case .copy(_, let pass) = pass else { return nil }
            return IncomingPass(pass: pass, origin: body.origin)
        }
        _ = try library.admitKnown(copies)
        for (body, pass) in zip(bodies, judged) {
            note(pass, of: body)
            checkDate(body)
        }
        for body in bodies { body.file.removeFile() }
        try library.keep(services, notes, leavingAlone: hosts)
        notes = []
        let told = reports
        reports = []
        for told in told { try report(told) }
    }

    private mutating func take(
        _ newer: NewerPass, _ admitted: Admitted,
        _ services: inout [(version: StoredVersion, service: WebService?)]
    ) throws {
        let update = newer.body.update
        let identity = update.stored.identity
        guard
            let stored = try library.pass(
                withPassTypeIdentifier: identity.passTypeIdentifier,
                serialNumber: identity.serialNumber)
        else { return }
        guard admitted.admission == .updated else {
            // Another process has added a newer version in the meantime.
            return noteUnchanged(update, status: 200)
        }
        summary.updated += 1
        services.append((stored.current, WebService(newer.pass.pass)))
        note(
            stored.current, .pass, failures: 0, .updated,
            lastModified: newer.body.response.lastModified)
        var report = UpdateReport(update.stored, source: update.service.place, .updated)
        report.status = 200
        // Missing files are reported by `library check`.
        report.old = admitted.replaced.flatMap { try? library.contents(of: $0) }
        report.new = newer.verification
        reports.append(report)
    }

    private mutating func note(_ pass: ArrivedPass, of body: ArrivedBody) {
        switch pass {
        case .newer, .unwanted: break
        case .same(let stored), .copy(let stored, _):
            // VIOLATIONS.md, H7: the server ignores If-Modified-Since. Its Last-Modified date
            // applies to this version.
            let isAsked = stored.current.id == body.update.stored.current.id
            noteUnchanged(
                body.update, status: 200,
                lastModified: isAsked ? body.response.lastModified : nil)
        case .refused(let problem):
            let update = body.update
            take(.unusablePass(update.stored.identity, problem), FaultySource(update))
            summary.refused += 1
            note(update.stored.current, .pass, failures: update.failures, .refused, problem)
            var report = UpdateReport(update.stored, problem, update.service.place)
            report.outcome = .refused
            report.status = 200
            reports.append(report)
        }
    }

    private mutating func checkDate(_ body: ArrivedBody) {
        let identity = body.update.stored.identity
        guard let date = body.response.lastModified else {
            return take(.noLastModified(identity), FaultySource(body.update))
        }
        guard let modified = HTTPDate(date, now: .now) else {
            return take(.invalidLastModified(identity, date), FaultySource(body.update))
        }
        guard let condition = body.update.condition.flatMap({ HTTPDate($0, now: .now) }),
            modified <= condition
        else { return }
        take(.unchangedPass(identity), FaultySource(body.update))
    }

    private mutating func noteUnchanged(
        _ update: PassUpdate, status: Int?, lastModified: String? = nil
    ) {
        note(
            update.stored.current, .unchanged, failures: 0, .unchanged, lastModified: lastModified)
        summary.unchanged += 1
        var report = UpdateReport(update.stored, source: update.service.place, .unchanged)
        report.status = status
        reports.append(report)
    }

    /// - Parameter failures: The number of consecutive failures before this response.
    private mutating func note(
        _ version: StoredVersion, _ answer: UpdateAnswer, failures: Int,
        _ outcome: UpdateReport.Outcome, _ problem: UpdateProblem? = nil,
        lastModified: String? = nil
    ) {
        let now = Date()
        let isFailure = outcome == .failed || outcome == .refused
        let failures = isFailure ? min(max(failures, 0), 1000) + 1 : 0
        let time = options.schedule.time(
            after: answer, on: version, failures: max(failures, 1), isTaken: outcome != .refused,
            now: now)
        notes.append(
            UpdateNote(
                on: version, lastModified: lastModified, askedAt: now, dueAt: time,
                failures: failures, outcome: outcome.rawValue, failure: problem?.json))
    }
}

/// A web service, by its `webServiceURL`.
struct FaultySource: Hashable {
    let service: String
    let host: String

    init(service: String, host: String) {
        self.service = service
        self.host = host
    }

    init?(_ update: PassUpdate) {
        guard let base = update.service.base(of: update.stored.identity) else { return nil }
        self.init(service: base, host: update.service.host)
    }
}

/// A version that may replace the current one.
private struct NewerPass {
    let body: ArrivedBody
    let verification: Verification
    let pass: VerifiedPass

    var incoming: IncomingPass { IncomingPass(pass: pass, origin: body.origin) }
}
