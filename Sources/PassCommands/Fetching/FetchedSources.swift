internal import Fetching
internal import Foundation
internal import Localization
internal import MIME
internal import MailSource
internal import PassDownloads
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification
internal import Platform

/// Fetches URLs and passes the files on.
struct FetchedSources {
    let queue: DownloadQueue
    let window: FetchWindow
    /// Conditions of this command. Those stored with a download apply as well.
    let conditions: DownloadConditions
    let console: Console
    /// Whether failed downloads can be resumed later.
    let keepsQueue: Bool

    /// Processes fetched files and failures.
    struct Consumer {
        /// Options to examine a file before it is read; nil if this process does not examine files.
        var options: ImportOptions?
        /// Reads a file and returns what it contained.
        var read: (DownloadedFile, DownloadConditions) async throws -> FetchedContents
        /// Called for each download that yields no file to read: it failed, or is a page with
        /// links.
        var count: () -> Void = {}
        var report: (ReportedProblem) throws -> Void
    }

    func read(_ requests: [DownloadRequest], _ consumer: Consumer) async throws {
        let requests = requests.map { request in
            var request = request
            request.conditions = conditions.text
            return request
        }
        try await goOn(with: queue.add(requests).compactMap { $0?.id }, consumer)
    }

    /// Number of downloads in memory at a time.
    private static let batch = 1000

    /// Fetches queued downloads in this order.
    func goOn(with ids: [Int64], _ consumer: Consumer) async throws {
        for first in stride(from: 0, to: ids.count, by: FetchedSources.batch) {
            let batch = ids[first...].prefix(FetchedSources.batch)
            try await run(batch.compactMap { try queue.download($0) }, consumer)
        }
    }

    private func run(_ downloads: [Download], _ consumer: Consumer) async throws {
        let downloads = DownloadRun(downloads, in: queue, window) { conditions(of: $0).terms }
        try await downloads.run(
            take: { body in try await take(body, consumer) },
            miss: { download, absence in
                consumer.count()
                if let problem = problem(absence, of: download) {
                    try consumer.report(problem)
                } else {
                    let note = localized(
                        "{place}: fetched by another process", ["place": download.shownURL])
                    console.problem(note.escaped)
                }
            },
            progress: { console.show($0) })
    }

    private func conditions(of download: Download) -> DownloadConditions {
        DownloadConditions(download.conditions)?.joined(with: conditions) ?? conditions
    }

    private func take(
        _ body: DownloadRun.Body, _ consumer: Consumer
    ) async throws -> DownloadRun.Taken {
        let file = DownloadedFile(body.download, at: body.path)
        let conditions = conditions(of: body.download)
        guard let options = try consumer.options?.allowing(conditions) else {
            return .settled(try await consumer.read(file, conditions).outcome, next: [])
        }
        if body.isPiecedTogether, try await isDamaged(file, options) { return .damaged }
        let page: WebPage?
        do throws(FileError) {
            page = try self.page(of: file, body, options)
        } catch {
            let failure = DownloadError(.unreadable(error))
            try consumer.report(ReportedProblem(source: file.source, .unreadable(failure)))
            return keepsQueue
                ? .postponed(failure) : .settled(FetchedContents().outcome, next: [])
        }
        // Follow links only one level deep, since pages could link to each other without end.
        if let page, body.download.parent == nil {
            let links = try await follow(page, from: body.download, conditions, consumer)
            if let (next, failure) = links {
                consumer.count()
                if let failure, keepsQueue { return .postponed(failure) }
                return .settled(.pageWithLinks, next: next)
            }
        }
        let contents = try await consumer.read(file, conditions)
        if contents.isNothing {
            let problem =
                if let page { FetchProblem.webPage(title: page.title) } else {
                    FetchProblem.noPass(type: try file.type())
                }
            try consumer.report(ReportedProblem(source: file.source, problem))
        }
        // After a system error a queued file is read again later.
        guard let failure = contents.failure, keepsQueue else {
            return .settled(contents.outcome, next: [])
        }
        return .postponed(failure)
    }

    /// Reads the file without reporting or importing anything, to find out whether a pass in it is
    /// damaged.
    private func isDamaged(
        _ file: DownloadedFile, _ options: ImportOptions
    ) async throws -> Bool {
        var options = options
        options.library = nil
        options.opensLibrary = nil
        var isDamaged = false
        _ = try await PassImport.run([.download(file)], options) { event in
            switch event {
            case .pass(let found):
                let verdict = found.verification.verdict
                let isBroken = verdict == .tampered || verdict == .malformed
                isDamaged = isDamaged || isBroken && found.fileError == nil
            case .problem(let problem): isDamaged = isDamaged || !problem.isTemporary
            case .link: break
            }
        }
        return isDamaged
    }
}
