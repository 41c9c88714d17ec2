public import Foundation

/// A body on its way into the library, as the library's queue has it. The words are those of StoreKit's
/// `SKDownload`.
public struct Download: Sendable, Hashable, Identifiable {
    /// How far it is.
    public enum State: String, Sendable, CaseIterable, Codable {
        /// It is to be fetched: now, or from ``Download/nextAttempt`` on.
        case waiting
        /// A process is fetching it.
        case active
        /// Somebody wants it to wait until it is resumed.
        case paused
        /// Its passes are in the library, or were refused for good.
        case finished
        /// It could not be fetched, and is not tried again.
        case failed
        /// Somebody wants it no more.
        case cancelled

        /// Whether nothing more becomes of it.
        public var isEnded: Bool {
            switch self {
            case .waiting, .active, .paused: false
            case .finished, .failed, .cancelled: true
            }
        }
    }

    /// Never means another download.
    public internal(set) var id: Int64
    /// What was asked for.
    public internal(set) var contentURL: String
    /// The mail that a followed link was in; nil for what was asked for by itself.
    public internal(set) var origin: Origin?
    /// The download of the page that led here, which may be forgotten by now.
    public internal(set) var parent: Int64?
    /// How it is to be fetched and judged, in the words of who asked last.
    package internal(set) var conditions: String?
    /// How far it is.
    public internal(set) var state: State
    /// How many bytes the whole body has; nil while unknown.
    public internal(set) var expectedContentLength: Int?
    /// How many bytes of it are here.
    public internal(set) var receivedContentLength: Int
    /// How long the rest will take at the present speed; nil while unknown.
    public internal(set) var timeRemaining: Duration?
    /// Why it failed, or why it waits to be tried again.
    public internal(set) var error: DownloadError?
    /// How many attempts have failed since it last got on.
    public internal(set) var attempts: Int
    /// When it is to be tried again; nil for as soon as possible.
    public internal(set) var nextAttempt: Date?
    /// When it was added to the queue.
    public internal(set) var createdAt: Date
    /// When anything here changed last.
    public internal(set) var updatedAt: Date
    /// What became of it, in the words of who finished it.
    public internal(set) var outcome: String?

    /// Where the body came from, after redirects; nil while unknown.
    public internal(set) var url: String?
    /// The value of Content-Type.
    public internal(set) var contentType: String?
    /// The value of Content-Disposition.
    public internal(set) var contentDisposition: String?
    /// What a server goes on from: a strong entity tag or a date (RFC 9110, 13.1.5). Nil for a body that
    /// can only be fetched from its start.
    public internal(set) var validator: String?
    /// Whether what is here was put together of several answers.
    public internal(set) var wasResumed: Bool

    /// Whether all of it is here, as far as its length says.
    package var isWhole: Bool {
        expectedContentLength.map { $0 > 0 && $0 == receivedContentLength } ?? false
    }

    /// How much of it is here, from 0 to 1: 0 while the length is unknown, 1 when finished.
    public var progress: Double {
        if state == .finished { return 1 }
        guard let expectedContentLength, expectedContentLength > 0 else { return 0 }
        return min(1, max(0, Double(receivedContentLength) / Double(expectedContentLength)))
    }
}

extension Download {
    /// One that nothing has come of yet, and that has no number.
    init(_ request: DownloadRequest, at now: Date) {
        self.init(
            id: 0, contentURL: request.url, origin: request.origin, parent: request.parent,
            conditions: request.conditions, state: .waiting, receivedContentLength: 0, attempts: 0,
            createdAt: now, updatedAt: now,
            wasResumed: false)
    }
}
