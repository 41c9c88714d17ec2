package import Foundation

/// The answer to a request: a body, and how it is sent.
package struct Answer: Sendable {
    package var status = 200
    package var fields: [(name: String, value: String)] = []
    package var body = Body.bytes([])
    /// Whether Range requests are honoured (RFC 9110, 14).
    package var hasRanges = false
    /// Sent in chunks, without a length.
    package var isChunked = false
    package var entityTag: String?
    package var lastModified: Date?
    /// The token required after `Authorization: ApplePass`.
    package var token: String?
    /// The delay before the first byte.
    package var delay = Duration.zero
    package var bytesPerSecond: Int?
    /// The number of bytes after which sending stops while the connection stays open.
    package var stall: Int?
    /// The number of bytes after which the connection is closed.
    package var cut: Int?
    /// Sent instead of everything else; the connection is closed afterwards.
    package var raw: [UInt8]?

    package enum Body: Sendable {
        case bytes([UInt8])
        /// A file that is read for each request.
        case file(String)
        /// Never held in memory. Without a size, it never ends.
        case generated(GeneratedBody, size: Int?)
        /// Pieces with a pause after each; without an end if `isEndless`, from the first one again.
        case pieces([[UInt8]], pause: Duration, isEndless: Bool)
    }

    package init(_ body: Body, type: String? = nil, disposition: String? = nil) {
        self.body = body
        if let type { fields.append(("Content-Type", type)) }
        if let disposition { fields.append(("Content-Disposition", disposition)) }
    }

    package static func bytes(
        _ bytes: some Sequence<UInt8>, type: String? = nil, disposition: String? = nil
    ) -> Answer {
        Answer(.bytes(Array(bytes)), type: type, disposition: disposition)
    }

    package static func pass(_ bytes: some Sequence<UInt8>) -> Answer {
        .bytes(bytes, type: "application/vnd.apple.pkpass")
    }

    package static func passFile(_ path: String) -> Answer {
        Answer(.file(path), type: "application/vnd.apple.pkpass")
    }

    package static func page(_ html: String) -> Answer {
        .bytes(html.utf8, type: "text/html; charset=utf-8")
    }

    package static func generated(
        _ size: Int?, seed: UInt64 = 1, type: String? = "application/octet-stream"
    ) -> Answer {
        Answer(.generated(GeneratedBody(seed: seed), size: size), type: type)
    }

    /// Server-sent events, each piece of which is sent at once.
    package static func stream(
        _ pieces: [String], pause: Duration = .zero, isEndless: Bool = false
    ) -> Answer {
        Answer(
            .pieces(pieces.map { Array($0.utf8) }, pause: pause, isEndless: isEndless),
            type: "text/event-stream"
        ).chunked()
    }

    /// A status with a page that names it, as servers send it.
    package static func status(_ status: Int, retryAfter: String? = nil) -> Answer {
        var answer = Answer.page("<!DOCTYPE html><title>\(status)</title>\n")
        answer.status = status
        // RFC 9110, 15.3.5.
        if status == 204 { answer.body = .bytes([]) }
        if let retryAfter { answer.fields.append(("Retry-After", retryAfter)) }
        return answer
    }

    package static func redirect(to location: String, _ status: Int = 302) -> Answer {
        var answer = Answer.status(status)
        answer.fields.append(("Location", location))
        return answer
    }

    /// Bytes that need not be HTTP.
    package static func raw(_ bytes: some Sequence<UInt8>) -> Answer {
        var answer = Answer(.bytes([]))
        answer.raw = Array(bytes)
        return answer
    }

    package func field(_ name: String, _ value: String) -> Answer {
        changed { $0.fields.append((name, value)) }
    }

    /// Adds this many bytes of header fields.
    package func headerBomb(_ count: Int) -> Answer {
        changed {
            let value = String(repeating: "x", count: 4_000)
            for number in 0..<(count / value.count) { $0.fields.append(("X-\(number)", value)) }
        }
    }

    package func ranges() -> Answer { changed { $0.hasRanges = true } }
    package func chunked() -> Answer { changed { $0.isChunked = true } }
    /// With an entity tag exactly as given, including its quotes.
    package func tagged(_ tag: String) -> Answer { changed { $0.entityTag = tag } }
    package func modified(_ date: Date) -> Answer { changed { $0.lastModified = date } }
    package func guarded(by token: String) -> Answer { changed { $0.token = token } }
    package func delayed(_ delay: Duration) -> Answer { changed { $0.delay = delay } }
    package func paced(bytesPerSecond: Int) -> Answer {
        changed { $0.bytesPerSecond = bytesPerSecond }
    }
    package func stalled(after count: Int) -> Answer { changed { $0.stall = count } }
    package func cut(after count: Int) -> Answer { changed { $0.cut = count } }

    private func changed(_ change: (inout Answer) -> Void) -> Answer {
        var answer = self
        change(&answer)
        return answer
    }
}
