package import Foundation
package import PassModel
package import PassStore
package import PassVerification

/// The result for one pass.
package struct UpdateReport: Sendable {
    package enum Outcome: String, Sendable {
        /// A newer version is durably in the library.
        case updated
        case unchanged
        /// The response may not replace the pass; the library is unchanged.
        case refused
        /// No response.
        case failed
    }

    /// The pass at the time of the request.
    package let stored: StoredPass
    /// The request URL without a query; nil if no request was sent.
    package var source: String?
    package var outcome: Outcome
    /// The HTTP status, if known.
    package var status: Int?
    package var problem: UpdateProblem?
    /// The previous version of an updated pass, if readable.
    package var old: Pass?
    /// The new version.
    package var new: Verification?

    init(_ stored: StoredPass, source: String? = nil, _ outcome: Outcome) {
        self.stored = stored
        self.source = source
        self.outcome = outcome
    }

    init(_ stored: StoredPass, _ problem: UpdateProblem, _ source: String? = nil) {
        self.init(stored, source: source, .failed)
        self.problem = problem
    }

    init(unreadable stored: StoredPass, _ error: LibraryError) {
        self.init(stored, .unreadable(error))
    }
}

/// Statistics of a run.
package struct UpdateSummary: Sendable, Equatable {
    /// The passes requested.
    package var asked = 0
    /// The requests sent.
    package var requests = 0
    package var updated = 0
    package var unchanged = 0
    package var refused = 0
    /// The failed requests, apart from those below.
    package var failed = 0
    /// 401, 403 and 410: the issuer offers no newer version with this token.
    package var declined = 0
    /// Passes that cannot be requested.
    package var notAsked = 0
    /// Passes with an http web service only, which the user did not name.
    package var insecure = 0
    /// Hosts that repeatedly did not respond, or asked clients to wait.
    package var hostsLeft: [String] = []
    /// Hosts not to contact, and until when.
    package var leftAlone: [String: Date] = [:]
    package var seconds = 0.0

    package init() {}

    /// Whether any pass could not be requested, or no usable response arrived.
    package var hasFailures: Bool { refused + failed + declined + notAsked > 0 }
}
