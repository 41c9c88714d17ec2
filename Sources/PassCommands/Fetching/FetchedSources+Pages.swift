internal import Fetching
internal import Foundation
internal import PassDetection
internal import PassDownloads
internal import PassImport
internal import PassStore

/// Web pages, and what they lead to.
extension FetchedSources {
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

    func page(
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
    func follow(
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
}

extension WebPage {
    var inWords: String {
        title.map { "it is a web page, '\($0)'" } ?? "it is a web page"
    }
}
