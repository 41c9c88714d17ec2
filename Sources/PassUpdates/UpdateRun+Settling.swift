import Fetching
import Foundation
import MailSource
import PassModel
import PassStore
import PassVerification

/// Adding new versions to the library.
extension UpdateRun {
    /// Verifies the bodies, adds accepted passes to the library, and records and reports all
    /// responses.
    mutating func settle(_ report: (UpdateReport) throws -> Void) async throws {
        guard !bodies.isEmpty || !notes.isEmpty || !reports.isEmpty else { return }
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
        for (body, pass) in zip(bodies, judged) { note(pass, of: body) }
        for body in bodies { remove(body.file.name) }
        try library.keep(services, notes, leavingAlone: leftAlone)
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
        case .same(let stored):
            // VIOLATIONS.md, H7: the server ignores If-Modified-Since. Its Last-Modified date
            // applies to this version.
            let isAsked = stored.current.id == body.update.stored.current.id
            noteUnchanged(
                body.update, status: 200,
                lastModified: isAsked ? body.response.lastModified : nil)
        case .refused(let problem):
            let update = body.update
            summary.refused += 1
            note(update.stored.current, .pass, failures: update.failures, .refused, problem)
            var report = UpdateReport(update.stored, problem, update.service.place)
            report.outcome = .refused
            report.status = 200
            reports.append(report)
        }
    }
}

/// A version that may replace the current one.
private struct NewerPass {
    let body: ArrivedBody
    let verification: Verification
    let pass: VerifiedPass

    /// The date makes the version that the server sends now the newer one of two versions signed in
    /// the same second.
    var incoming: IncomingPass {
        IncomingPass(pass: pass, origin: Origin(source: body.update.service.place, date: Date()))
    }
}
