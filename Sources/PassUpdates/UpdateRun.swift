package import Bytes
import Fetching
import Foundation
import Glibc
package import MailSource
package import PassDownloads
import PassModel
package import PassStore
package import PassVerification

/// How passes are asked about.
package struct UpdateOptions: Sendable {
    package var verifier = PassVerifier()
    package var spool = SpoolPolicy()
    /// How many answers are judged at a time.
    package var jobs = 1
    /// At how many bytes to give up.
    package var maximumSize = VerificationLimits().archive
    package var allowsHTTP = false
    /// Whether to ask also about what is not due.
    package var asksAll = false
    package var schedule = UpdateSchedule()

    package init() {}
}

/// Asks issuers for newer versions of their passes, and takes in those that may stand in front.
///
/// Killed at any moment, nothing is lost: what was asked and not noted is asked again. A pass is reported
/// as updated when it is durably in the library, not before.
package struct UpdateRun {
    /// What was sent, and what came of it so far.
    private struct Asked {
        let update: PassUpdate
        let file: String
        var response: FetchResponse?
    }

    /// How many answers are noted together at most, and how many bodies are judged together.
    private static let heldAnswers = 500
    private static let heldBodies = 32
    /// How often in a row a host may leave a run without an answer.
    private static let patience = 3

    private let library: PassLibrary
    private let window: FetchWindow
    private let folder: Path
    private let options: UpdateOptions
    private let start = Date()
    private var queue = UpdateQueue([])
    private var asked: [Int64: Asked] = [:]
    private var silences: [String: Int] = [:]
    private var bodies: [ArrivedBody] = []
    private var notes: [UpdateNote] = []
    private var reports: [UpdateReport] = []
    private var summary = UpdateSummary()
    private var total = 0

    /// - Parameter folder: Where the process writes what comes.
    package init(
        _ library: PassLibrary, _ process: FetchProcess, in folder: Path, _ options: UpdateOptions
    ) {
        self.library = library
        self.folder = folder
        self.options = options
        var limits = FetchWindow.Limits()
        limits.requests = 16
        limits.requestsToHost = 2
        window = FetchWindow(process, limits)
    }

    /// - Parameters:
    ///   - passes: Those to ask about, whether they are due or not; nil for all that are.
    ///   - progress: Is told how many of how many passes are done.
    ///   - report: Is told of each pass that was asked about, and of what was named or cannot be read.
    package mutating func run(
        only passes: [StoredPass]? = nil, progress: (_ done: Int, _ total: Int) -> Void,
        report: (UpdateReport) throws -> Void
    ) async throws -> UpdateSummary {
        if let passes { try plan(passes) } else { try planDue() }
        while true {
            try ask()
            if window.isEmpty { break }
            guard let signal = await window.next() else {
                // The answers that came are still answers.
                try await settle(report)
                throw UpdateRunEnded()
            }
            try take(signal)
            if case .pause = signal { try await settle(report) }
            if notes.count >= UpdateRun.heldAnswers || bodies.count >= UpdateRun.heldBodies {
                try await settle(report)
            }
            progress(summary.asked - asked.count, total)
        }
        try await settle(report)
        summary.seconds = Date().timeIntervalSince(start)
        return summary
    }
}

/// The program that fetches ended before its time.
package struct UpdateRunEnded: Error, CustomStringConvertible {
    package var description: String { "the program that fetches has ended" }
}

// What is asked.
extension UpdateRun {
    private mutating func planDue() throws {
        var unreadable: [UpdateReport] = []
        try library.survey { stored, error in
            unreadable.append(UpdateReport(unreadable: stored, error))
        }
        for report in unreadable { leaveOut(report) }
        let due = options.asksAll ? nil : start
        let hosts = try library.hostsOfUpdates(dueAt: due)
        total = hosts.reduce(0) { $0 + $1.passes }
        queue = UpdateQueue(hosts.map(\.host)) { [library, start] host, last in
            try library.updates(
                from: host, dueAt: due, notAskedSince: start, after: last, limit: 50)
        }
    }

    private mutating func plan(_ passes: [StoredPass]) throws {
        var updates: [PassUpdate] = []
        for stored in passes {
            guard stored.current.verdict == .trusted else {
                leaveOut(UpdateReport(stored, .untrusted(stored.current.verdict)))
                continue
            }
            var unreadable: LibraryError?
            if try library.update(of: stored) == nil {
                try library.look(at: [stored]) { _, error in unreadable = error }
            }
            if let unreadable {
                leaveOut(UpdateReport(unreadable: stored, unreadable))
            } else if let update = try library.update(of: stored) {
                updates.append(update)
            } else {
                leaveOut(UpdateReport(stored, .noWebService))
            }
        }
        // Whom a person names is told about; of others it is only counted.
        for update in updates where !update.service.isSecure && !options.allowsHTTP {
            leaveOut(UpdateReport(update.stored, .insecure, update.service.place))
        }
        updates.removeAll { !$0.service.isSecure && !options.allowsHTTP }
        total = updates.count
        queue = UpdateQueue(updates)
    }

    private mutating func leaveOut(_ report: UpdateReport) {
        summary.notAsked += 1
        reports.append(report)
    }

    /// Sends what there is room for.
    private mutating func ask() throws {
        while window.hasRoom, let update = try queue.next(window.hasRoom(for:)) {
            let service = update.service
            guard service.isSecure || options.allowsHTTP else {
                summary.insecure += 1
                total -= 1
                continue
            }
            let id = Int64(summary.asked)
            let file = "\(getpid())-\(id)"
            var request = FetchRequest(
                id: id, url: service.url, file: file, maximumSize: options.maximumSize)
            request.authenticationToken = service.token
            // Who never said when a version changed is told when it was signed, which was later.
            request.modifiedSince =
                update.lastModified ?? update.stored.current.signedAt.flatMap { HTTPDate($0).text }
            try window.start(request, to: service.host)
            asked[id] = Asked(update: update, file: file)
            summary.asked += 1
        }
    }
}

// What is answered.
extension UpdateRun {
    private mutating func take(_ signal: FetchProcess.Signal) throws {
        guard case .event(let event) = signal else { return }
        switch event {
        case .response(let id, let response): asked[id]?.response = response
        case .progress: break
        case .finished(let id, _):
            guard let asked = asked.removeValue(forKey: id), let response = asked.response else {
                return
            }
            silences[asked.update.service.host] = nil
            bodies.append(
                ArrivedBody(
                    update: asked.update, response: response, file: path(asked.file)))
        case .notModified(let id):
            guard let asked = asked.removeValue(forKey: id) else { return }
            silences[asked.update.service.host] = nil
            remove(asked.file)
            noteUnchanged(asked.update, status: 304)
        case .failed(let id, let failure):
            guard let asked = asked.removeValue(forKey: id) else { return }
            remove(asked.file)
            try note(failure, of: asked.update)
        }
    }

    private mutating func noteUnchanged(
        _ update: PassUpdate, status: Int?, lastModified: String? = nil
    ) {
        summary.unchanged += 1
        note(
            update.stored.current, .unchanged, failures: 0, .unchanged, lastModified: lastModified)
        var report = UpdateReport(update.stored, source: update.service.place, .unchanged)
        report.status = status
        reports.append(report)
    }

    private mutating func note(_ failure: FetchFailure, of update: PassUpdate) throws {
        let host = update.service.host
        let answer = UpdateAnswer(failure)
        switch answer {
        case .unchanged:
            silences[host] = nil
            return noteUnchanged(update, status: failure.status)
        case .busy(let retryAfter):
            let wait = min(retryAfter ?? 0, options.schedule.longest)
            if wait > 0 {
                leave(host)
                try library.leaveAlone(host, until: Date().addingTimeInterval(wait))
            } else {
                noteSilence(of: host)
            }
        case .silent: noteSilence(of: host)
        case .refused, .missing, .wrong, .pass, .notAsked: silences[host] = nil
        }
        if answer == .refused { summary.declined += 1 } else { summary.failed += 1 }
        let problem = UpdateProblem(failure)
        note(update.stored.current, answer, failures: update.failures, .failed, problem.detail)
        var report = UpdateReport(update.stored, problem, update.service.place)
        report.status = failure.status
        reports.append(report)
    }

    private mutating func noteSilence(of host: String) {
        silences[host, default: 0] += 1
        if silences[host, default: 0] >= UpdateRun.patience { leave(host) }
    }

    private mutating func leave(_ host: String) {
        queue.leave(host)
        if !summary.hostsLeft.contains(host) { summary.hostsLeft.append(host) }
    }

    /// - Parameter failures: Those before this answer, if it is one.
    private mutating func note(
        _ version: StoredVersion, _ answer: UpdateAnswer, failures: Int,
        _ outcome: UpdateReport.Outcome, _ detail: String? = nil, lastModified: String? = nil
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
                failures: failures, outcome: outcome.rawValue, detail: detail))
    }

    private func path(_ file: String) -> Path {
        folder.appending(Array(file.utf8))
    }

    private func remove(_ file: String) {
        _ = unsafe path(file).withCString { unsafe unlink($0) }
    }
}

// What enters the library.
extension UpdateRun {
    /// Has the bodies judged, takes in what may enter, notes all answers, and tells of them.
    private mutating func settle(_ report: (UpdateReport) throws -> Void) async throws {
        let bodies = bodies
        self.bodies = []
        let judged = bodies.isEmpty ? [] : try await library.judge(bodies, options)
        let newer = zip(bodies, judged).compactMap { body, pass -> NewerPass? in
            guard case .newer(let verification, let pass, let front) = pass else { return nil }
            return NewerPass(body: body, verification: verification, pass: pass, front: front)
        }
        let old = newer.map { contents(of: $0.front) }
        let admissions = try library.add(newer.map(\.arrival))
        var services: [(version: StoredVersion, service: WebService?)] = []
        for ((pass, old), admission) in zip(zip(newer, old), admissions) {
            try take(pass, over: old, admission, &services)
        }
        for (body, pass) in zip(bodies, judged) { note(pass, of: body) }
        for body in bodies { remove(body.file.name) }
        try library.keep(services, notes)
        notes = []
        let told = reports
        reports = []
        for told in told { try report(told) }
    }

    private func contents(of stored: StoredPass) -> Pass? {
        // What the library has lost is for `library check` to tell.
        guard let octets = try? library.octets(of: stored.current) else { return nil }
        return options.verifier.verify(Array(octets)).pass
    }

    private mutating func take(
        _ newer: NewerPass, over old: Pass?, _ admission: Admission,
        _ services: inout [(version: StoredVersion, service: WebService?)]
    ) throws {
        let update = newer.body.update
        let identity = update.stored.identity
        guard admission == .updated || admission == .added,
            let stored = try library.pass(
                withPassTypeIdentifier: identity.passTypeIdentifier,
                serialNumber: identity.serialNumber)
        else {
            // Another process has put a newer one in front since.
            return noteUnchanged(update, status: 200)
        }
        summary.updated += 1
        services.append((stored.current, WebService(newer.pass.pass)))
        note(
            stored.current, .pass, failures: 0, .updated,
            lastModified: newer.body.response.lastModified)
        var report = UpdateReport(update.stored, source: update.service.place, .updated)
        report.status = 200
        report.old = old
        report.new = newer.verification
        reports.append(report)
    }

    private mutating func note(_ pass: ArrivedPass, of body: ArrivedBody) {
        switch pass {
        case .newer, .unwanted: break
        case .same(let stored):
            // A server that heeds no conditions. What it says of the time is of this version.
            let isAsked = stored.current.id == body.update.stored.current.id
            noteUnchanged(
                body.update, status: 200,
                lastModified: isAsked ? body.response.lastModified : nil)
        case .refused(let problem):
            let update = body.update
            summary.refused += 1
            note(update.stored.current, .pass, failures: update.failures, .refused, problem.detail)
            var report = UpdateReport(update.stored, problem, update.service.place)
            report.outcome = .refused
            report.status = 200
            reports.append(report)
        }
    }
}

/// A version that may stand in front of another.
private struct NewerPass {
    let body: ArrivedBody
    let verification: Verification
    let pass: VerifiedPass
    let front: StoredPass

    /// Where two versions were signed in the same second, the one that an issuer gives out now is newer.
    var arrival: Arrival {
        Arrival(pass: pass, origin: Origin(source: body.update.service.place, date: Date()))
    }
}

extension UpdateReport {
    fileprivate init(_ stored: StoredPass, _ problem: UpdateProblem, _ source: String? = nil) {
        self.init(stored, source: source, .failed)
        self.problem = problem
    }

    fileprivate init(unreadable stored: StoredPass, _ error: LibraryError) {
        self.init(stored, UpdateProblem(code: "unreadable", detail: error.description))
    }
}
