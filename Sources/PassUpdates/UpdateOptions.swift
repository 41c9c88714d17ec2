package import Bytes
package import Fetching
package import PassVerification

/// How passes are asked about.
package struct UpdateOptions: Sendable {
    package var verifier = PassVerifier()
    package var spool = SpoolPolicy()
    /// How many answers are judged at a time.
    package var jobs = 1
    package var terms = FetchTerms()
    /// Whether to ask also about what is not due.
    package var asksAll = false
    package var schedule = UpdateSchedule()

    package init() {}
}
