internal import Fetching
internal import Foundation
internal import MIME
internal import MailSource
internal import PassDetection
internal import PassDownloads
internal import PassImport
internal import PassStore
internal import PassVerification

/// What is behind URLs: fetched, and handed on as files.
struct FetchedSources {
    let queue: DownloadQueue
    let window: FetchWindow
    /// What is allowed now; what was allowed when a download was asked for counts as well.
    let conditions: DownloadConditions
    let console: Console
    /// Whether what could not be fetched can be gone on with later.
    let keepsQueue: Bool

    /// In bytes: what is larger is no page that anybody reads.
    private static let longestPage = 16 << 20

    /// What the links of a page may cost: one may hold a whole pass.
    private static let limits = {
        var limits = LinkLimits()
        limits.url = FetchRequest.longestURL
        limits.dataHead = longestPage
        limits.data = longestPage
        return limits
    }()

    /// What is done with each file, and with what cannot be had.
    struct Reading {
        /// How the files are read, for a look at them before; nil where this process has none.
        var options: ImportOptions?
        /// Reads a file, and says what became of what it held.
        var read: (DownloadedFile, DownloadConditions) async throws -> FetchedContents
        /// Is told of each that there was no file of to be read: it did not come, or is a page with links.
        var count: () -> Void = {}
        var report: (Problem) throws -> Void
    }

    func read(_ requests: [DownloadRequest], _ reading: Reading) async throws {
        let requests = requests.map { request in
            var request = request
            request.conditions = conditions.text
            return request
        }
        try await goOn(with: queue.add(requests).compactMap(\.self), reading)
    }

    /// The same with downloads that are in the queue.
    func goOn(with downloads: [Download], _ reading: Reading) async throws {
        let downloads = DownloadRun(downloads, in: queue, window) { conditions(of: $0).terms }
        try await downloads.run(
            take: { body in try await take(body, reading) },
            miss: { download, absence in
                reading.count()
                if let problem = problem(absence, of: download) {
                    try reading.report(problem)
                } else {
                    console.note(
                        "passconduit: \(download.shownURL): another process fetched it".escaped)
                }
            },
            progress: { console.show($0) })
    }

    private func conditions(of download: Download) -> DownloadConditions {
        DownloadConditions(download.conditions)?.joined(with: conditions) ?? conditions
    }

    private func take(
        _ body: DownloadRun.Body, _ reading: Reading
    ) async throws -> DownloadRun.Taken {
        let file = DownloadedFile(body.download, at: body.path)
        let conditions = conditions(of: body.download)
        guard let options = try reading.options?.allowing(conditions) else {
            return .settled(outcome: try await reading.read(file, conditions).inWords, next: [])
        }
        if body.isPiecedTogether, try await isDamaged(file, options) { return .damaged }
        let page = try page(of: file, body, options)
        // Where pages lead on to pages there may be no end.
        if let page, body.download.parent == nil {
            let next = try await follow(page, from: body.download, conditions, reading)
            if let next {
                reading.count()
                return .settled(outcome: "a page with links", next: next)
            }
        }
        let contents = try await reading.read(file, conditions)
        if contents.isNothing {
            let kind =
                if let page { page.inWords } else { try "it is \(file.kind())" }
            let problem = Problem(
                source: file.source, code: "no-pass", detail: "there is no pass: \(kind)")
            try reading.report(problem)
        }
        // Where there is a queue, it is read again when the system can.
        guard let failure = contents.failure, keepsQueue else {
            return .settled(outcome: contents.inWords, next: [])
        }
        return .postponed(failure)
    }

    private func page(
        of file: DownloadedFile, _ body: DownloadRun.Body, _ options: ImportOptions
    ) throws -> WebPage? {
        let download = body.download
        guard body.size <= FetchedSources.longestPage,
            let url = WebURL(download.url ?? download.contentURL)
        else { return nil }
        return try WebPage(
            file, at: url, contentType: download.contentType, types: options.types,
            limits: FetchedSources.limits)
    }

    /// Reads the passes that a page holds in its links, and returns what else these lead to; nil where it
    /// has none.
    private func follow(
        _ page: WebPage, from download: Download, _ conditions: DownloadConditions,
        _ reading: Reading
    ) async throws -> [DownloadRequest]? {
        let links =
            page.links.map(\.url) + (page.links.isEmpty ? [page.refresh] : []).compactMap(\.self)
        guard !links.isEmpty else { return nil }
        let limits = FetchedSources.limits
        func report(_ code: String, _ detail: String) throws {
            try reading.report(Problem(source: download.shownURL, code: code, detail: detail))
        }
        if page.hasMore {
            try report("limit-links", "the page has more links than are followed")
        }
        if page.hasLongURL {
            try report("limit-link-size", "a link is longer than \(limits.url >> 10) KiB")
        }
        var requests: [DownloadRequest] = []
        for link in links {
            if let url = WebURL(link)?.inASCII {
                if let refusal = FetchRequest.refusal(of: url.text) {
                    try reading.report(
                        Problem(
                            source: download.shownURL, code: "limit-link-size",
                            detail: "a link is not followed: \(refusal.detail)"))
                    continue
                }
                requests.append(
                    DownloadRequest(
                        url: url.text, origin: download.origin, parent: download.id,
                        conditions: conditions.text))
            } else if let url = try? DataURL(Array(link.utf8)) {
                _ = try await reading.read(
                    DownloadedFile(url, shown: DataURL.shown(Array(link.utf8))), conditions)
            }
        }
        return requests
    }

    /// Whether a pass in it is broken. Nothing is told, and nothing enters the library.
    private func isDamaged(
        _ file: DownloadedFile, _ options: ImportOptions
    ) async throws -> Bool {
        var options = options
        options.library = nil
        options.opensLibrary = nil
        var isDamaged = false
        _ = try await run([.download(file)], options) { event in
            switch event {
            case .pass(let found):
                let verdict = found.verification.verdict
                isDamaged = isDamaged || verdict == .tampered || verdict == .malformed
            case .problem: isDamaged = true
            case .link: break
            }
        }
        return isDamaged
    }

    /// Nil where nothing is amiss.
    private func problem(_ absence: DownloadRun.Absence, of download: Download) -> Problem? {
        func problem(_ code: String, _ detail: String, isTemporary: Bool = true) -> Problem {
            Problem(
                source: download.shownURL, code: "fetch-\(code)", detail: detail,
                isTemporary: isTemporary)
        }
        let resume = "`passconduit downloads resume \(download.id)` goes on with it"
        switch absence {
        case .failed(let error):
            return problem(error.code, error.detail, isTemporary: false)
        case .postponed(let error, _):
            return problem(error.code, error.detail + (keepsQueue ? "; \(resume)" : ""))
        case .paused: return problem("paused", "it was paused; \(resume)")
        case .cancelled: return problem("cancelled", "it was cancelled", isTemporary: false)
        case .elsewhere: return problem("elsewhere", "another process is fetching it")
        case .finished: return nil
        }
    }
}

/// What was in a file that was fetched.
struct FetchedContents {
    /// The passes, by what became of each.
    var passes: [String: Int] = [:]
    var messages = 0
    var problems = 0
    /// What the system could not do.
    var failure: DownloadError?
    /// Whether somebody else will know.
    var isUnknown = false

    mutating func count(_ event: Event) {
        switch event {
        case .pass(let found):
            let outcome = found.imported?.rawValue ?? found.verification.verdict.rawValue
            passes[outcome, default: 0] += 1
            let reason = found.verification.reasons.first { $0.code == "unreadable" }
            failure = reason.map { DownloadError(code: $0.code, detail: $0.detail) } ?? failure
        case .problem(let problem):
            problems += 1
            guard problem.isTemporary else { return }
            failure = DownloadError(code: problem.code, detail: problem.detail)
        case .link: break
        }
    }

    var isNothing: Bool { passes.isEmpty && messages == 0 && problems == 0 && !isUnknown }

    var inWords: String {
        if passes.isEmpty { return "no pass" }
        return passes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            .joined(separator: ", ")
    }
}

extension DownloadedFile {
    fileprivate init(_ download: Download, at path: String) {
        let asked = WebURL(download.contentURL)
        let url = download.url.flatMap { WebURL($0) } ?? asked
        let header = PartHeader(
            contentType: download.contentType, contentDisposition: download.contentDisposition,
            url: url)
        // What it was asked for by speaks for it as well.
        let names = PartHeader(contentType: nil, contentDisposition: nil, url: asked).names
        self.init(
            .file(Path(path)), source: download.shownURL,
            header: header.named(header.names + names.filter { !header.names.contains($0) }),
            link: download.origin)
    }
}

extension WebPage {
    fileprivate var inWords: String {
        title.map { "it is a web page, '\($0)'" } ?? "it is a web page"
    }
}

extension Download {
    /// Without a name and a password.
    var shownURL: String { WebURL(contentURL)?.shown ?? contentURL }
}
