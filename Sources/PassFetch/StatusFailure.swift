internal import Fetching

extension FetchFailure {
    /// The failure for a response without the requested body. The server's own reason phrase is
    /// untrusted, and not reported.
    init(_ head: ResponseHead, _ origin: Origin, now: HTTPDate) {
        self.init(
            .status(host: origin.description, code: head.status),
            retryAfter: head.fields["retry-after"].flatMap {
                FetchFailure.delay($0, now: now)
            })
    }

    /// Retry-After in seconds: a number or a date (RFC 9110, 10.2.3), at most a week.
    static func delay(_ text: String, now: HTTPDate) -> Double? {
        let week = 7 * 86400
        if let seconds = Int(digits: text) { return Double(min(seconds, week)) }
        guard let then = HTTPDate(text, now: now) else { return nil }
        return Double(min(max(then.seconds - now.seconds, 0), week))
    }
}
