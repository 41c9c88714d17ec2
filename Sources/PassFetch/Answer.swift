internal import Fetching
import NIOHTTP1

/// The meaning of a response head.
enum Answer: Sendable, Equatable {
    /// The whole body follows, or the rest of it. `announced` is the length of this response in
    /// bytes, if the server states it.
    case body(FetchResponse, announced: Int?)
    case redirect(String)
    /// The rest of the body is not available, but the whole body may be.
    case fromTheStart
    case notModified
    case failure(FetchFailure)

    init(_ head: HTTPResponseHead, to question: ResourceRequest, now: HTTPDate) {
        let fields = head.headers
        switch head.status.code {
        case 200, 203:
            self.init(whole: fields, question, now)
        // VIOLATIONS.md, H8: also without a requested range.
        case 206:
            self.init(part: fields, question, now)
        case 301, 302, 303, 307, 308:
            guard let location = fields.first(name: "location"), !location.isEmpty else {
                let host = question.target.origin.description
                self = .failure(FetchFailure(.redirectWithoutTarget(host: host)))
                return
            }
            self = .redirect(location)
        case 304 where question.isConditional:
            self = .notModified
        case 416 where question.offset != nil:
            self = .fromTheStart
        default:
            self = .failure(FetchFailure(head, question.target.origin, now: now))
        }
    }

    private init(whole fields: HTTPHeaders, _ question: ResourceRequest, _ now: HTTPDate) {
        if let coding = fields.coding, fields.isUnreadable {
            let host = question.target.origin.description
            self = .failure(FetchFailure(.encoded(host: host, coding: coding)))
            return
        }
        let size = fields.contentLength
        self = .body(
            FetchResponse(fields, question, offset: 0, size: size, now: now),
            announced: size)
        checkSize(size, question)
    }

    private init(part fields: HTTPHeaders, _ question: ResourceRequest, _ now: HTTPDate) {
        let asked = question.offset
        guard let range = fields.first(name: "content-range").flatMap(ContentRange.init),
            range.first == asked ?? 0, !fields.isUnreadable,
            fields.contentLength ?? (range.last - range.first + 1) == range.last - range.first + 1,
            asked == nil || fields.fits(question.validator) && question.expects(range.size),
            range.last < range.size ?? question.expectedSize ?? .max
        else {
            self =
                asked != nil
                ? .fromTheStart
                : .failure(
                    FetchFailure(.unrequestedPart(host: question.target.origin.description)))
            return
        }
        // If the range does not state the total size, use the size known from before: a response
        // may contain less than the requested range.
        let size = range.size ?? (asked == nil ? nil : question.expectedSize)
        var response = FetchResponse(
            fields, question, offset: range.first, size: size, now: now)
        // A partial response need not repeat the validator.
        if asked != nil { response.validator = question.validator }
        self = .body(response, announced: range.last - range.first + 1)
        checkSize(size ?? range.last + 1, question)
    }

    private mutating func checkSize(_ size: Int?, _ question: ResourceRequest) {
        guard let size, size > question.maximumSize else { return }
        self = .failure(.size(size, question))
    }
}

extension FetchResponse {
    fileprivate init(
        _ fields: HTTPHeaders, _ question: ResourceRequest, offset: Int, size: Int?, now: HTTPDate
    ) {
        self.init(url: question.target.url, offset: offset)
        contentType = fields.told("content-type")
        contentDisposition = fields.told("content-disposition")
        lastModified = fields.told("last-modified")
        contentEncoding = fields.coding
        validator = fields.validator(now: now)
        self.size = size
    }
}

extension FetchFailure {
    static func size(_ size: Int?, _ question: ResourceRequest) -> FetchFailure {
        FetchFailure(
            .tooLarge(
                host: question.target.origin.description, size: size, limit: question.maximumSize))
    }
}
