internal import Foundation
internal import MIME
internal import MailSource
internal import PassDownloads
internal import PassImport
internal import PassStore
internal import PassVerification

/// What is behind URLs, fetched and read as files are.
struct FetchedSources {
    let queue: DownloadQueue
    let window: FetchWindow
    let run: PipelineRun
    let limits: DownloadRun.Limits
    let console: Console
    let keepsQueue: Bool

    /// - Parameter onlyNew: Whether to leave out what was fetched once.
    func read(_ requests: [DownloadRequest], onlyNew: Bool = false) async throws {
        try await goOn(with: queue.add(requests, onlyNew: onlyNew).compactMap(\.self))
    }

    func goOn(with downloads: [Download]) async throws {
        let downloads = DownloadRun(downloads, in: queue, window, limits)
        try await downloads.run(take: take, miss: miss) { progress in
            console.show(progress)
        }
    }

    private func take(_ body: DownloadRun.Body) async throws -> DownloadRun.Taken {
        let file = DownloadedFile(body)
        if body.isPiecedTogether, try await isDamaged(file) { return .damaged }
        var outcomes: [String: Int] = [:]
        let part = try await run.read([.download(file)]) { event in
            guard case .pass(let found) = event else { return }
            let outcome = found.imported?.rawValue ?? found.verification.verdict.rawValue
            outcomes[outcome, default: 0] += 1
        }
        if part.candidates == 0, part.messages == 0, part.problems == 0 {
            try run.report(
                Problem(source: file.source, code: "no-pass", detail: "there is no pass"))
        }
        let counts = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return .settled(
            outcome: counts.isEmpty ? "no pass" : counts.joined(separator: ", "), next: [])
    }

    /// Whether a pass in it is broken. Nothing is told, and nothing enters the library.
    private func isDamaged(_ file: DownloadedFile) async throws -> Bool {
        var options = run.options
        options.library = nil
        options.opensLibrary = nil
        var isDamaged = false
        _ = try await PassImport.run([.download(file)], options) { event in
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

    private func miss(_ download: Download, _ absence: DownloadRun.Absence) throws {
        var problem = Problem(
            source: download.contentURL, code: "", detail: "", isTemporary: true)
        switch absence {
        case .failed(let error):
            problem.code = "fetch-\(error.code)"
            problem.detail = error.detail
        case .postponed(let error, _):
            problem.code = "fetch-\(error.code)"
            problem.detail = error.detail
            if keepsQueue {
                problem.detail += "; `passconduit downloads resume \(download.id)` goes on with it"
            }
        case .paused:
            problem.code = "fetch-paused"
            problem.detail = "it was paused (`passconduit downloads resume \(download.id)`)"
        case .cancelled:
            problem.code = "fetch-cancelled"
            problem.detail = "it was cancelled"
        case .elsewhere:
            problem.code = "fetch-elsewhere"
            problem.detail = "another process fetches it already"
        }
        try run.report(problem)
    }
}

extension DownloadedFile {
    init(_ body: DownloadRun.Body) {
        self.init(
            .file(Path(body.path)), source: body.download.contentURL,
            header: PartHeader(names: []), link: body.download.origin)
    }
}
