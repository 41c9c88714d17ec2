internal import Fetching
import NIOHTTP1

extension FetchFailure {
    /// The failure for a response without the requested body.
    init(_ head: HTTPResponseHead, _ origin: Origin, now: HTTPDate) {
        let code = Int(head.status.code)
        // RFC 9110, 15; RFC 6585; RFC 8470. The server's own reason phrase is untrusted, and not
        // reported.
        let words = FetchFailure.words[code].map { ": \($0)" } ?? ""
        self.init(
            .status, "\(origin) answered with \(code)\(words)",
            isTransient: [408, 425, 429, 500, 502, 503, 504].contains(code))
        status = code
        retryAfter = head.headers.first(name: "retry-after").flatMap {
            FetchFailure.delay($0, now: now)
        }
    }

    /// Retry-After in seconds: a number or a date (RFC 9110, 10.2.3), at most a week.
    static func delay(_ text: String, now: HTTPDate) -> Double? {
        let week = 7 * 86400
        if let seconds = Int(digits: text) { return Double(min(seconds, week)) }
        guard let then = HTTPDate(text, now: now) else { return nil }
        return Double(min(max(then.seconds - now.seconds, 0), week))
    }

    private static let words = [
        204: "there is nothing there",
        205: "there is nothing there",
        300: "there are several things to choose from",
        304: "nothing has changed",
        305: "only through a proxy of its own",
        400: "it does not understand the request",
        401: "it asks for a name and a password, or the pass's token is not the right one",
        402: "it wants to be paid",
        403: "it does not give this away",
        404: "there is no such thing there",
        405: "it does not give this away",
        406: "it has nothing of this kind",
        407: "a proxy asks for a name and a password",
        408: "it did not want to wait any longer",
        409: "something else is at work there",
        410: "it is gone for good",
        425: "it is too early",
        429: "it was asked too often",
        431: "the request is too long for it",
        451: "it may not give this away by law",
        500: "something is wrong there",
        501: "it cannot do that",
        502: "the server behind it gives no answer",
        503: "it is busy, or being mended",
        504: "the server behind it takes too long",
        511: "the network wants to be signed in to first",
    ]
}
