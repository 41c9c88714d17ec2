internal import Foundation
internal import MIME
internal import MailSource
internal import PassDownloads
internal import PassImport
internal import PassStore
internal import PassVerification

/// What is behind URLs: fetched, and handed on as files.
struct FetchedSources {
    let queue: DownloadQueue
    let window: FetchWindow
    let limits: DownloadRun.Limits
    let console: Console
    /// Whether what could not be fetched can be gone on with later.
    let keepsQueue: Bool

    /// What is done with each file, and with what cannot be had.
    struct Reading {
        /// How the files are read, for a look at them before; nil where this process has none.
        var options: ImportOptions?
        /// Reads a file, and says what became of what it held.
        var read: (DownloadedFile) async throws -> FetchedContents
        var report: (Problem) throws -> Void
    }

    /// - Parameter onlyNew: Whether to leave out what was fetched once.
    func read(
        _ requests: [DownloadRequest], onlyNew: Bool = false, _ reading: Reading
    ) async throws {
        try await goOn(
            with: queue.add(requests, onlyNew: onlyNew).compactMap(\.self), reading)
    }

    /// The same with downloads that are in the queue.
    func goOn(with downloads: [Download], _ reading: Reading) async throws {
        let downloads = DownloadRun(downloads, in: queue, window, limits)
        try await downloads.run(
            take: { body in try await take(body, reading) },
            miss: { download, absence in
                try reading.report(problem(absence, of: download))
            },
            progress: { console.show($0) })
    }

    private func take(
        _ body: DownloadRun.Body, _ reading: Reading
    ) async throws -> DownloadRun.Taken {
        let file = DownloadedFile(body)
        guard let options = reading.options else {
            return .settled(outcome: try await reading.read(file).inWords, next: [])
        }
        if body.isPiecedTogether, try await isDamaged(file, options) { return .damaged }
        // Where pages lead on to pages there may be no end.
        if body.download.parent == nil {
            let links = try file.links(options)
            if !links.isEmpty {
                let requests = links.map {
                    DownloadRequest(url: $0, origin: body.download.origin, parent: body.download.id)
                }
                return .settled(outcome: "a page with links", next: requests)
            }
        }
        let contents = try await reading.read(file)
        if contents.isNothing {
            let problem = Problem(
                source: file.source, code: "no-pass", detail: try file.absence(options))
            try reading.report(problem)
        }
        return .settled(outcome: contents.inWords, next: [])
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

    private func problem(_ absence: DownloadRun.Absence, of download: Download) -> Problem {
        func problem(_ code: String, _ detail: String) -> Problem {
            Problem(
                source: download.shownURL, code: "fetch-\(code)", detail: detail,
                isTemporary: true)
        }
        let resume = "`passconduit downloads resume \(download.id)` goes on with it"
        switch absence {
        case .failed(let error):
            return problem(error.code, error.detail)
        case .postponed(let error, _):
            return problem(error.code, error.detail + (keepsQueue ? "; \(resume)" : ""))
        case .paused: return problem("paused", "it was paused; \(resume)")
        case .cancelled: return problem("cancelled", "it was cancelled")
        case .elsewhere:
            return problem("elsewhere", "another process fetches it, or has fetched it")
        }
    }
}

/// What was in a file that was fetched.
struct FetchedContents {
    /// The passes, by what became of each.
    var passes: [String: Int] = [:]
    var messages = 0
    var problems = 0
    /// Whether somebody else will know.
    var isUnknown = false

    mutating func count(_ event: Event) {
        switch event {
        case .pass(let found):
            let outcome = found.imported?.rawValue ?? found.verification.verdict.rawValue
            passes[outcome, default: 0] += 1
        case .problem: problems += 1
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
    fileprivate init(_ body: DownloadRun.Body) {
        self.init(
            .file(Path(body.path)), source: body.download.shownURL,
            header: PartHeader(names: []), link: body.download.origin)
    }

    fileprivate func links(_ options: ImportOptions) throws -> [String] { [] }

    fileprivate func absence(_ options: ImportOptions) throws -> String { "there is no pass" }
}

extension Download {
    var shownURL: String { contentURL }
}
