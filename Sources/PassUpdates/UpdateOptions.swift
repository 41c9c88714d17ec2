package import Bytes
package import Fetching
package import PassVerification

/// Options for updating passes.
package struct UpdateOptions: Sendable {
    package var verifier = PassVerifier()
    package var spool = SpoolPolicy()
    /// The number of responses verified in parallel.
    package var jobs = 1
    package var terms = FetchTerms()
    /// Whether to request passes that are not due.
    package var asksAll = false
    package var schedule = UpdateSchedule()
    /// Returns the message about a mistake for the log of a service; nil for none.
    package var message: @Sendable (ServiceFault) -> String? = { _ in nil }

    package init() {}
}
