import Platform

/// Time limits for one delivery.
struct DeliveryLimits: Equatable {
    /// The valid deadlines, in seconds.
    static let deadlines = 1...86_400

    /// The time from the end of reading the message to the end of the program, in seconds.
    ///
    /// Import waits up to 30 seconds for each of two or three locks while a library is in use, and
    /// reads 100 MB within seconds. Most mail systems allow more time: maildrop 300 seconds,
    /// procmail 960, Postfix 1,000. Dovecot's Sieve allows 10.
    var deadline = 240

    /// The limit for each step that usually takes milliseconds, the search for a candidate and an
    /// import without a message, in milliseconds.
    var shortStep: Int { min(30_000, deadline * 1000 / 5) }
}

/// The deadlines of the steps of one delivery.
struct DeliverySchedule {
    let search: Deadline
    /// The deadline of imports, which leaves time for a short step.
    let imports: Deadline
    /// No import starts after this, so that each has at least about a third of the time.
    let lastStart: Deadline
    private let end: Deadline
    private let shortStep: Int

    /// Starts the clock.
    init(_ limits: DeliveryLimits) {
        let total = limits.deadline * 1000
        shortStep = limits.shortStep
        search = .after(milliseconds: shortStep)
        imports = .after(milliseconds: total - shortStep)
        lastStart = .after(milliseconds: total / 2)
        end = .after(milliseconds: total)
    }

    /// The deadline of a short step that begins now.
    var step: Deadline { min(end, .after(milliseconds: shortStep)) }
}
