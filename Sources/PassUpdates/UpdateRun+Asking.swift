import Fetching
import Foundation
import Glibc
import PassDownloads
import PassStore
import PassVerification

/// Sending requests.
extension UpdateRun {
    mutating func planDue() throws {
        try library.forgetUpdates(after: start)
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

    mutating func plan(_ passes: [StoredPass]) throws {
        isNamed = true
        var updates: [PassUpdate] = []
        for stored in passes {
            guard stored.current.verdict == .trusted else {
                leaveOut(UpdateReport(stored, .notTrusted(stored.current.verdict)))
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
        // Passes that the user named are reported; others are only counted.
        for update in updates where !update.service.isSecure && !options.terms.allowsHTTP {
            leaveOut(UpdateReport(update.stored, .insecure, update.service.place))
        }
        updates.removeAll { !$0.service.isSecure && !options.terms.allowsHTTP }
        total = updates.count
        queue = UpdateQueue(updates)
    }

    mutating func leaveOut(_ report: UpdateReport) {
        summary.notAsked += 1
        reports.append(report)
    }

    /// Sends requests while there is room.
    mutating func ask() throws {
        while window.hasRoom, let update = try queue.next(window.hasRoom(for:)) {
            let service = update.service
            guard service.isSecure || options.terms.allowsHTTP else {
                summary.insecure += 1
                total -= 1
                continue
            }
            let id = Int64(summary.asked)
            let file = "\(getpid())-\(id)"
            var request = FetchRequest(
                id: id, url: service.url, file: file, options.terms)
            request.authenticationToken = service.token
            // VIOLATIONS.md, H13: without a Last-Modified date, use the signing time, which is
            // later.
            request.modifiedSince =
                update.lastModified ?? update.stored.current.signedAt.flatMap { HTTPDate($0).text }
            try window.start(request, to: service.host)
            asked[id] = Asked(update: update, file: file)
            summary.asked += 1
        }
    }
}
