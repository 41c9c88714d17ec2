internal import Fetching
internal import PassDownloads
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassSession
internal import PassStore

/// Adds links found in mail to the queue at once, since there may be more than fit in memory.
final class FollowedLinks {
    private let queue: DownloadQueue
    /// Whether to fetch URLs again that were fetched before.
    private let fetchesAgain: Bool
    private let conditions: DownloadConditions
    private var found: [DownloadRequest] = []
    private var downloads: [Int64] = []

    /// Number of links added at a time: each addition waits for the disk.
    private static let batch = 500

    init(into sources: FetchedSources, fetchesAgain: Bool) {
        queue = sources.queue
        conditions = sources.conditions
        self.fetchesAgain = fetchesAgain
    }

    /// - Parameter report: Called for links that cannot be followed.
    func take(_ event: Event, report: (ReportedProblem) throws -> Void) throws {
        // A link with a size was cut off.
        guard case .link(let link) = event, link.link.size == nil,
            let url = WebURL(link.link.url)?.inASCII
        else { return }
        if let refusal = FetchRequest.refusal(of: url.text) {
            let problem = ReportedProblem(
                source: link.source, message: link.message, part: link.part,
                .link(DownloadError(refusal)))
            return try report(problem)
        }
        found.append(
            DownloadRequest(url: url.text, origin: link.origin, conditions: conditions.text))
        if found.count == FollowedLinks.batch { try add() }
    }

    /// Returns the IDs of the downloads to start now.
    func finish() throws -> [Int64] {
        try add()
        defer { downloads = [] }
        return downloads
    }

    private func add() throws {
        downloads += try queue.add(found, onlyNew: !fetchesAgain, isWish: false).compactMap {
            $0?.id
        }
        found = []
    }
}
