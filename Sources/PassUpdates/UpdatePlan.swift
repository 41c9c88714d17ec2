import Fetching
import Foundation
import PassStore
import PassVerification

/// The passes that a run requests, and those it cannot request.
struct UpdatePlan {
    let queue: UpdateQueue
    let total: Int
    private(set) var leftOut: [UpdateReport] = []

    /// The passes that are due at a time, or all passes if the options say so.
    init(at time: Date, in library: PassLibrary, _ options: UpdateOptions) throws {
        try library.forgetUpdates(after: time)
        var unreadable: [UpdateReport] = []
        try library.survey { stored, error in
            unreadable.append(UpdateReport(unreadable: stored, error))
        }
        leftOut = unreadable
        let due = options.asksAll ? nil : time
        let hosts = try library.hostsOfUpdates(dueAt: due)
        total = hosts.reduce(0) { $0 + $1.passes }
        queue = UpdateQueue(hosts.map(\.host)) { host, last in
            try library.updates(
                from: host, dueAt: due, notAskedSince: time, after: last, limit: 50)
        }
    }

    /// Passes that the user named, due or not.
    init(of passes: [StoredPass], in library: PassLibrary, _ options: UpdateOptions) throws {
        var updates: [PassUpdate] = []
        for stored in passes {
            guard stored.current.verdict == .trusted else {
                leftOut.append(UpdateReport(stored, .notTrusted(stored.current.verdict)))
                continue
            }
            var unreadable: LibraryError?
            if try library.update(of: stored) == nil {
                try library.look(at: [stored]) { _, error in unreadable = error }
            }
            if let unreadable {
                leftOut.append(UpdateReport(unreadable: stored, unreadable))
            } else if let update = try library.update(of: stored) {
                updates.append(update)
            } else {
                leftOut.append(UpdateReport(stored, .noWebService))
            }
        }
        // Passes that the user named are reported; others are only counted.
        for update in updates where !update.service.isSecure && !options.terms.allowsHTTP {
            leftOut.append(UpdateReport(update.stored, .insecure, update.service.place))
        }
        updates.removeAll { !$0.service.isSecure && !options.terms.allowsHTTP }
        total = updates.count
        queue = UpdateQueue(updates)
    }
}
