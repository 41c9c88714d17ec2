internal import Foundation
internal import PassPresentation
internal import PassStore

/// A download: `downloads`. The terms are those of StoreKit's SKDownload. Times are in seconds,
/// lengths in bytes; unknown values are absent.
struct DownloadRecord: Encodable {
    let version = 1
    let record = "download"
    let id: Int64
    let contentURL: String
    let state: String
    /// From 0 to 1.
    let progress: Double
    let receivedContentLength: Int
    let expectedContentLength: Int?
    let timeRemaining: Double?
    let attempts: Int
    let nextAttempt: String?
    let error: FindingRecord?
    let outcome: String?
    let createdAt: String
    let updatedAt: String

    init(_ download: Download) {
        id = download.id
        contentURL = download.shownURL
        state = download.state.rawValue
        progress = (download.progress * 1000).rounded() / 1000
        receivedContentLength = download.receivedContentLength
        expectedContentLength = download.expectedContentLength
        timeRemaining = download.timeRemaining.map { ($0 / .seconds(1) * 10).rounded() / 10 }
        attempts = download.attempts
        nextAttempt = download.nextAttempt.map(timestamp)
        error = download.error.map { FindingRecord(code: $0.code, detail: $0.phrase.english) }
        outcome = download.outcomePhrase?.english
        createdAt = timestamp(download.createdAt)
        updatedAt = timestamp(download.updatedAt)
    }
}
