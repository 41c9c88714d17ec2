import Fetching
package import PassModel
package import PassStore
package import PassVerification

/// What became of asking about a pass.
package struct UpdateReport: Sendable {
    package enum Outcome: String, Sendable {
        /// There is a newer version, and it is durably in the library.
        case updated
        case unchanged
        /// What came is not what may replace the pass: the library is as it was.
        case refused
        /// Nothing came.
        case failed
    }

    /// As it was when it was asked about.
    package let stored: StoredPass
    /// Where it was asked for, without a query; nil where it was not.
    package var source: String?
    package var outcome: Outcome
    /// Of the answer, where there was one and it is known.
    package var status: Int?
    package var problem: UpdateProblem?
    /// The version that was in front, of a pass that was updated, as far as it could be read again.
    package var old: Pass?
    /// The version that came.
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
        self.init(stored, UpdateProblem(code: "unreadable", detail: error.description))
    }
}

/// Why a pass was not updated.
package struct UpdateProblem: Sendable, Equatable {
    /// Stable, in kebab case: that of a ``FetchFailure``, a verdict, or one of those here.
    package let code: String
    /// A lower-case clause without a full stop, which may hold what a stranger wrote.
    package let detail: String

    package init(code: String, detail: String) {
        self.code = code
        self.detail = detail
    }

    init(_ failure: FetchFailure) {
        self.init(code: failure.code.rawValue, detail: failure.detail)
    }

    static let insecure = UpdateProblem(
        code: FetchFailure.Code.insecure.rawValue,
        detail: "its web service is reached by http, where anybody on the way can read along "
            + "(--allow-http)")
    static let noWebService = UpdateProblem(
        code: "no-web-service", detail: "the pass does not say where newer versions of it are")

    static let wantsToBeLeft = UpdateProblem(
        code: "host-left", detail: "it was not asked about: the host wants to be left alone")
    static let isSilent = UpdateProblem(
        code: "host-left",
        detail: "it was not asked about: the host did not answer for others, again and again")

    static func untrusted(_ verdict: Verdict) -> UpdateProblem {
        UpdateProblem(
            code: "not-trusted",
            detail: "the pass is \(verdict.rawValue), and only trusted ones are asked about")
    }
}

/// What a run asked, and what came of it.
package struct UpdateSummary: Sendable, Equatable {
    package var asked = 0
    package var updated = 0
    package var unchanged = 0
    package var refused = 0
    /// The failed ones among those that were asked, but for those below.
    package var failed = 0
    /// 401, 403 and 410: their issuers have no newer version for whoever has the pass.
    package var declined = 0
    /// What could not be asked about at all.
    package var notAsked = 0
    /// What can be asked about by http alone, and nobody named.
    package var insecure = 0
    /// Those that did not answer again and again, or wanted to be left alone.
    package var hostsLeft: [String] = []
    package var seconds = 0.0

    /// Whether something could not be asked, or was answered with what is of no use.
    package var hasFailures: Bool { refused + failed + declined + notAsked > 0 }
}
