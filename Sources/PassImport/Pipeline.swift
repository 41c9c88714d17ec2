import Foundation
import PassStore
import PassVerification

/// A result of a run, in the order of the sources.
package enum Event: Sendable {
    case pass(FoundPass)
    case link(FoundLink)
    case problem(Problem)
}

/// The progress of a run.
package struct Progress: Sendable {
    /// The last source processed.
    package var source: String
    package var bytesDone: Int
    /// Nil while unknown, and for streams.
    package var bytesTotal: Int?
    package var messages: Int
    package var passes: Int
}

/// Finds passes in the inputs, verifies them, and adds those that the policy admits to the library.
///
/// Workers read and judge; their results are merged in the order of the sources, so that the
/// reports and the library do not depend on the number of workers. A pass is reported as imported
/// only after it was stored durably. A cancelled run ends after the current piece of work.
package func run(
    _ inputs: [Input], _ options: ImportOptions, progress: (Progress) -> Void = { _ in },
    report: (Event) throws -> Void
) async throws -> Summary {
    let start = Date()
    var plan = WorkPlan(inputs, options)
    let total = options.measures ? TotalSize(of: inputs, options) : nil
    var library = options.library
    var memory = ScanCache(options)
    var seam = MboxRangeMerger()
    var shelf = PartialMessageAssembler(options)
    var summary = Summary()
    summary.links = options.links.map { _ in 0 }
    try await inOrder(jobs: options.jobs) {
        plan.next(&memory)
    } perform: { work in
        SourceScanner(work, options).proceed()
    } take: { work, result in
        try Task.checkCancellation()
        var next: WorkResult? = seam.join(result, of: work) {
            SourceScanner($0, options).proceed()
        }
        var isFirst = true
        while let result = next {
            shelf.take(result)
            while var part = shelf.next() {
                if options.imports {
                    try admit(&part.events, to: &library, at: options.arrival ?? start, options)
                }
                memory?.take(part, of: work, isFirst: isFirst)
                isFirst = false
                summary.add(part)
                for event in part.events { try report(event) }
                progress(
                    Progress(
                        source: part.source,
                        bytesDone: summary.bytes + (memory?.bytesPassedOver ?? 0),
                        bytesTotal: total?.bytes,
                        messages: summary.messages, passes: summary.candidates))
                try Task.checkCancellation()
            }
            next = result.rest?.proceed()
            if case .mbox = work, var piece = next {
                seam.count(&piece)
                next = piece
            }
        }
    }
    shelf.finish()
    while var rest = shelf.next() {
        if options.imports {
            try admit(&rest.events, to: &library, at: options.arrival ?? start, options)
        }
        summary.add(rest)
        for event in rest.events { try report(event) }
    }
    memory?.finish()
    summary.unchanged = memory?.unchanged ?? 0
    summary.unsettled = memory?.unsettled ?? 0
    summary.sources += summary.unchanged
    summary.linksNotFollowed = plan.linksNotFollowed
    summary.seconds = Date().timeIntervalSince(start)
    return summary
}

/// Adds the admitted passes of one piece of work to the library, in one transaction.
private func admit(
    _ events: inout [Event], to library: inout PassLibrary?, at arrival: Date,
    _ options: ImportOptions
) throws {
    var incoming: [IncomingPass] = []
    var locations: [Int] = []
    for index in events.indices {
        guard case .pass(var found) = events[index] else { continue }
        if let pass = found.verification.verified, options.policy.admits(pass.verdict) {
            incoming.append(IncomingPass(pass: pass, origin: found.origin))
            locations.append(index)
        } else {
            found.imported = .refused
            events[index] = .pass(found)
        }
    }
    guard !incoming.isEmpty else { return }
    library = try library ?? options.opensLibrary?()
    guard let library else { return }
    for (location, admitted) in zip(locations, try library.admit(incoming, arrival: arrival)) {
        guard case .pass(var found) = events[location] else { continue }
        found.imported = ImportOutcome(admitted.admission)
        found.showsNotifications = admitted.showsNotifications
        if options.tellsChanges, let sha256 = admitted.replaced, sha256 != found.verification.sha256
        {
            // Missing files are reported by `library check`.
            found.replaced = try? library.contents(of: sha256)
        }
        events[location] = .pass(found)
    }
}
