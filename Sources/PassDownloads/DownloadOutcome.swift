internal import Bytes
internal import Foundation
package import PassStore

/// What a finished download contained. The queue stores it as JSON:
/// `{"passes":{"_0":{"added":2}}}`.
package enum DownloadOutcome: Sendable, Hashable, Codable {
    /// A web page, whose links were added to the queue.
    case pageWithLinks
    /// The number of passes by the raw value of their import outcome, or of their verdict if they
    /// were only scanned.
    case passes([String: Int])

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(streamSafe: Array($0)) } ?? ""
    }
}

extension Download {
    /// What the download contained; nil before it is finished, or if an earlier version stored
    /// English text instead.
    package var contents: DownloadOutcome? {
        outcome.flatMap { try? JSONDecoder().decode(DownloadOutcome.self, from: Data($0.utf8)) }
    }
}
