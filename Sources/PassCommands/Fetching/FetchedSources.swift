internal import Fetching
internal import Foundation
internal import Localization
internal import MIME
internal import MailSource
internal import PassDownloads
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification
internal import Platform

/// Fetches URLs and passes the files on.
struct FetchedSources {
    /// Number of downloads in memory at a time.
    private static let batch = 1000

    /// In bytes: limit on the `data:` URLs of a page, enough for a few passes.
    private static let mostData = 4 << 20

    /// Limits on the links of a page.
    private static let limits = {
        var limits = LinkLimits()
        limits.url = FetchRequest.longestURL
        limits.dataHead = mostData
        limits.data = mostData
        return limits
    }()

    let queue: DownloadQueue
    private let window: FetchWindow
    /// Conditions of this command. Those stored with a download apply as well.
    let conditions: DownloadConditions
    private let console: Console
    /// Whether failed downloads can be resumed later.
    private let keepsQueue: Bool

    /// Processes fetched files and failures.
    struct Consumer {
        /// Options to examine a file before it is read; nil if this process does not examine files.
        var options: ImportOptions?
        /// Reads a file and returns what it contained.
        var read: (DownloadedFile, DownloadConditions) async throws -> FetchedContents
        /// Called for each download that yields no file to read: it failed, or is a page with
        /// links.
        var count: () -> Void = {}
        /// Called for each URL that led to a refused pass, but not for links of pages.
        var refuse: () -> Void = {}
        var report: (ReportedProblem) throws -> Void
    }

    init(
        _ queue: DownloadQueue, _ window: FetchWindow, _ conditions: DownloadConditions,
        keepsQueue: Bool, _ console: Console
    ) {
        self.queue = queue
        self.window = window
        self.conditions = conditions
        self.keepsQueue = keepsQueue
        self.console = console
    }

    func read(_ requests: [DownloadRequest], _ consumer: Consumer) async throws {
        let requests = requests.map { request in
            var request = request
            request.conditions = conditions.text
            return request
        }
        try await goOn(with: queue.add(requests).compactMap { $0?.id }, consumer)
    }

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

    /// The problem of a download that did not complete; nil if nothing is wrong.
    private func problem(_ absence: DownloadRun.Absence, of download: Download) -> ReportedProblem?
    {
        let problem: FetchProblem? =
            switch absence {
            case .failed(let error): .failed(error)
            case .postponed(let error, _):
                .postponed(error, download: keepsQueue ? download.id : nil)
            case .paused: .paused(download: download.id)
            case .cancelled: .cancelled
            case .elsewhere: .elsewhere
            case .finished: nil
            }
        return problem.map { ReportedProblem(source: download.shownURL, $0) }
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
        if contents.hasRefusals, body.download.parent == nil { consumer.refuse() }
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

    private func page(
        of file: DownloadedFile, _ body: DownloadRun.Body, _ options: ImportOptions
    ) throws(FileError) -> WebPage? {
        let download = body.download
        guard body.size <= WebPage.longest,
            let url = WebURL(download.url ?? download.contentURL)
        else { return nil }
        return try WebPage(
            file, at: url, contentType: download.contentType, types: options.types,
            spool: options.spool,
            limits: FetchedSources.limits)
    }

    /// Reads the passes in the page's `data:` URLs and returns requests for its other links; nil if
    /// it has no links.
    private func follow(
        _ page: WebPage, from download: Download, _ conditions: DownloadConditions,
        _ consumer: Consumer
    ) async throws -> (requests: [DownloadRequest], failure: DownloadError?)? {
        let links =
            page.links.map(\.url) + (page.links.isEmpty ? [page.refresh] : []).compactMap(\.self)
        guard !links.isEmpty else { return nil }
        func report(_ problem: FetchProblem) throws {
            try consumer.report(ReportedProblem(source: download.shownURL, problem))
        }
        if page.hasMore { try report(.tooManyLinks) }
        if page.hasLongURL { try report(.longLink) }
        var requests: [DownloadRequest] = []
        var failure: DownloadError?
        for link in links {
            if let url = WebURL(link)?.inASCII {
                if let refusal = FetchRequest.refusal(of: url.text) {
                    try report(.link(DownloadError(refusal)))
                    continue
                }
                requests.append(
                    DownloadRequest(
                        url: url.text, origin: download.origin, parent: download.id,
                        conditions: conditions.text))
            } else if DataURL.isData(link.utf8) {
                let bytes = Array(link.utf8)
                do {
                    let file = DownloadedFile(try DataURL(bytes), shown: DataURL.shown(bytes))
                    let contents = try await consumer.read(file, conditions)
                    failure = contents.failure ?? failure
                } catch let error as DataURLError {
                    try consumer.report(
                        ReportedProblem(
                            source: download.shownURL, code: "bad-url", error.phrase))
                }
            }
        }
        return (requests, failure)
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
            case .problem(let problem):
                isDamaged = isDamaged || !problem.isTemporary && !problem.isIncidental
            case .link: break
            }
        }
        return isDamaged
    }
}
