import Fetching
import Foundation
import Glibc
import MailSource
import PassDownloads
import PassStore

/// Handling responses.
extension UpdateRun {
    mutating func take(_ signal: FetchProcess.Signal) throws {
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
            note(failure, of: asked.update)
        }
    }

    mutating func noteUnchanged(
        _ update: PassUpdate, status: Int?, lastModified: String? = nil
    ) {
        summary.unchanged += 1
        note(
            update.stored.current, .unchanged, failures: 0, .unchanged, lastModified: lastModified)
        var report = UpdateReport(update.stored, source: update.service.place, .unchanged)
        report.status = status
        reports.append(report)
    }

    private mutating func note(_ failure: FetchFailure, of update: PassUpdate) {
        let host = update.service.host
        let answer = UpdateAnswer(failure)
        switch answer {
        case .unchanged:
            silences[host] = nil
            return noteUnchanged(update, status: failure.status)
        case .busy(let retryAfter):
            let wait = min(retryAfter ?? 0, options.schedule.longest)
            if wait > 0 {
                leftAlone[host] = max(
                    leftAlone[host] ?? .distantPast, Date().addingTimeInterval(wait))
                leave(host, .hostBusy)
            } else {
                noteSilence(of: host, .hostBusy)
            }
        case .silent: noteSilence(of: host, .hostSilent)
        case .refused, .missing, .wrong, .pass, .notAsked: silences[host] = nil
        }
        if answer == .refused { summary.declined += 1 } else { summary.failed += 1 }
        let problem = UpdateProblem.fetch(failure)
        note(update.stored.current, answer, failures: update.failures, .failed, problem)
        var report = UpdateReport(update.stored, problem, update.service.place)
        report.status = failure.status
        reports.append(report)
    }

    private mutating func noteSilence(of host: String, _ problem: UpdateProblem) {
        silences[host, default: 0] += 1
        if silences[host, default: 0] >= UpdateRun.patience { leave(host, problem) }
    }

    private mutating func leave(_ host: String, _ problem: UpdateProblem) {
        let rest = queue.leave(host)
        if isNamed { for update in rest { leaveOut(UpdateReport(update.stored, problem)) } }
        if !summary.hostsLeft.contains(host) { summary.hostsLeft.append(host) }
    }

    /// - Parameter failures: The number of consecutive failures before this response.
    mutating func note(
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

    func path(_ file: String) -> Path {
        folder.appending(Array(file.utf8))
    }

    func remove(_ file: String) {
        _ = unsafe path(file).withCString { unsafe unlink($0) }
    }
}
