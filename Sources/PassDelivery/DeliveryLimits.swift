import Bytes

/// How long one delivery may take.
struct DeliveryLimits: Equatable {
    /// What a deadline may be, in seconds.
    static let deadlines = 1...86_400

    /// From the moment that the message has been read to the end of the program, in seconds.
    ///
    /// Import waits up to 30 seconds for each of two or three locks on a library in use, and reads
    /// 100 MB in seconds. Most mail systems wait for longer than this: maildrop 300 seconds, procmail 960,
    /// Postfix 1,000. Dovecot's Sieve waits for 10.
    var deadline = 240

    /// For the steps that take milliseconds on most days, each: the search for a candidate, and an import
    /// without a message. In milliseconds.
    var shortStep: Int { min(30_000, deadline * 1000 / 5) }
}

/// When each step of one delivery has to be over.
struct DeliverySchedule {
    let search: Deadline
    /// For imports. A short step fits in after it.
    let imports: Deadline
    /// No further import starts after this, so each has at least about a third of the time.
    let lastStart: Deadline
    private let end: Deadline
    private let shortStep: Int

    /// Begins now.
    init(_ limits: DeliveryLimits) {
        let total = limits.deadline * 1000
        shortStep = limits.shortStep
        search = .after(milliseconds: shortStep)
        imports = .after(milliseconds: total - shortStep)
        lastStart = .after(milliseconds: total / 2)
        end = .after(milliseconds: total)
    }

    /// For a short step that begins now.
    var step: Deadline { min(end, .after(milliseconds: shortStep)) }
}
