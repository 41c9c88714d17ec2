internal import Fetching
internal import Foundation
internal import PassDownloads
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import Platform

/// Fetches the links of web pages.
extension FetchedSources {
    /// In bytes. Larger files are not treated as web pages.
    private static let longestPage = 16 << 20

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

    func page(
        of file: DownloadedFile, _ body: DownloadRun.Body, _ options: ImportOptions
    ) throws(FileError) -> WebPage? {
        let download = body.download
        guard body.size <= FetchedSources.longestPage,
            let url = WebURL(download.url ?? download.contentURL)
        else { return nil }
        return try WebPage(
            file, at: url, contentType: download.contentType, types: options.types,
            spool: options.spool,
            limits: FetchedSources.limits)
    }

    /// Reads the passes in the page's `data:` URLs and returns requests for its other links; nil if
    /// it has no links.
    func follow(
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
            } else if link.prefix(5).lowercased() == "data:" {
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
}
