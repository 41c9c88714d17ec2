package import Foundation

/// A download in the library's queue. The names are those of StoreKit's `SKDownload`.
package struct Download: Sendable, Hashable, Identifiable {
    /// The state of a download.
    package enum State: String, Sendable, CaseIterable, Codable {
        /// It is fetched now, or from ``Download/nextAttempt`` on.
        case waiting
        /// A process is fetching it.
        case active
        /// Paused until it is resumed.
        case paused
        /// Its passes are in the library, or were refused for good.
        case finished
        /// It failed and is not tried again.
        case failed
        /// It was cancelled.
        case cancelled

        /// Whether the download has ended.
        package var isEnded: Bool {
            switch self {
            case .waiting, .active, .paused: false
            case .finished, .failed, .cancelled: true
            }
        }
    }

    /// Unique; never reused for another download.
    package internal(set) var id: Int64
    /// The requested URL.
    package internal(set) var contentURL: String
    /// The message with the link; nil for a URL requested directly.
    package internal(set) var origin: Origin?
    /// The download of the page with the link, which may be deleted by now.
    package internal(set) var parent: Int64?
    /// Options for fetching and verifying, in the format of the process that last requested it.
    package internal(set) var conditions: String?
    /// The state.
    package internal(set) var state: State
    /// The size of the body in bytes; nil while unknown.
    package internal(set) var expectedContentLength: Int?
    /// The number of bytes received.
    package internal(set) var receivedContentLength: Int
    /// The estimated time for the rest; nil while unknown.
    package internal(set) var timeRemaining: Duration?
    /// Why it failed, or why it will be tried again.
    package internal(set) var error: DownloadError?
    /// The number of failed attempts since the last progress.
    package internal(set) var attempts: Int
    /// The time of the next attempt; nil for as soon as possible.
    package internal(set) var nextAttempt: Date?
    /// When it was added to the queue.
    package internal(set) var createdAt: Date
    /// When it was last changed.
    package internal(set) var updatedAt: Date
    /// The outcome, in the format of the process that finished it.
    package internal(set) var outcome: String?

    /// The URL of the body, after redirects; nil while unknown.
    package internal(set) var url: String?
    /// The value of Content-Type.
    package internal(set) var contentType: String?
    /// The value of Content-Disposition.
    package internal(set) var contentDisposition: String?
    /// The validator for resuming: a strong entity tag or a date (RFC 9110, 13.1.5). Nil if the
    /// body can only be fetched from the start.
    package internal(set) var validator: String?
    /// Whether the body was received in several responses.
    package internal(set) var wasResumed: Bool

    /// Whether the body is complete by its length.
    package var isWhole: Bool {
        expectedContentLength.map { $0 > 0 && $0 == receivedContentLength } ?? false
    }

    /// The fraction received, from 0 to 1: 0 while the size is unknown, 1 when finished.
    package var progress: Double {
        if state == .finished { return 1 }
        guard let expectedContentLength, expectedContentLength > 0 else { return 0 }
        return min(1, max(0, Double(receivedContentLength) / Double(expectedContentLength)))
    }
}

extension Download {
    /// A new download without an ID.
    init(_ request: DownloadRequest, at now: Date) {
        self.init(
            id: 0, contentURL: request.url, origin: request.origin, parent: request.parent,
            conditions: request.conditions, state: .waiting, receivedContentLength: 0, attempts: 0,
            createdAt: now, updatedAt: now,
            wasResumed: false)
    }
}
