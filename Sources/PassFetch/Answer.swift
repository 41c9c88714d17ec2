internal import Fetching

/// The meaning of a response head.
enum Answer: Sendable, Equatable {
    /// The whole body follows, or the rest of it. `announced` is the length of this response in
    /// bytes, if the server states it.
    case body(FetchResponse, announced: Int?)
    case redirect(String)
    /// The rest of the body is not available, but the whole body may be.
    case fromTheStart
    case notModified
    /// A POST was accepted.
    case accepted(status: Int)
    case failure(FetchFailure)

    init(_ head: ResponseHead, to resource: ResourceRequest, now: HTTPDate) {
        let fields = head.fields
        switch head.status {
        case 200..<300 where resource.method != .get:
            self = .accepted(status: head.status)
        case 200, 203:
            self.init(whole: fields, resource, now)
        // VIOLATIONS.md, H8: also without a requested range.
        case 206:
            self.init(part: fields, resource, now)
        case 301, 302, 303, 307, 308:
            self.init(redirect: fields, resource)
        case 304 where resource.isConditional:
            self = .notModified
        case 416 where resource.offset != nil:
            self = .fromTheStart
        default:
            self = .failure(FetchFailure(head, resource.target.origin, now: now))
        }
    }

    private init(redirect fields: HTTPFields, _ resource: ResourceRequest) {
        let host = resource.target.origin.description
        if resource.method != .get {
            self = .failure(FetchFailure(.redirectNotFollowed(host: host)))
        } else if let location = fields["location"], !location.isEmpty {
            self = .redirect(location)
        } else {
            self = .failure(FetchFailure(.redirectWithoutTarget(host: host)))
        }
    }

    private init(whole fields: HTTPFields, _ resource: ResourceRequest, _ now: HTTPDate) {
        if let coding = fields.coding, fields.isUnreadable {
            let host = resource.target.origin.description
            self = .failure(FetchFailure(.encoded(host: host, coding: coding)))
            return
        }
        let size = fields.contentLength
        self = .body(
            FetchResponse(fields, resource, offset: 0, size: size, now: now),
            announced: size)
        checkSize(size, resource)
    }

    private init(part fields: HTTPFields, _ resource: ResourceRequest, _ now: HTTPDate) {
        let asked = resource.offset
        guard let range = fields["content-range"].flatMap(ContentRange.init),
            range.first == asked ?? 0, !fields.isUnreadable,
            fields.contentLength ?? (range.last - range.first + 1) == range.last - range.first + 1,
            asked == nil || fields.fits(resource.validator) && resource.expects(range.size),
            range.last < range.size ?? resource.expectedSize ?? .max
        else {
            self =
                asked != nil
                ? .fromTheStart
                : .failure(
                    FetchFailure(.unrequestedPart(host: resource.target.origin.description)))
            return
        }
        // If the range does not state the total size, use the size known from before: a response
        // may contain less than the requested range.
        let size = range.size ?? (asked == nil ? nil : resource.expectedSize)
        var response = FetchResponse(
            fields, resource, offset: range.first, size: size, now: now)
        // A partial response need not repeat the validator.
        if asked != nil { response.validator = resource.validator }
        self = .body(response, announced: range.last - range.first + 1)
        checkSize(size ?? range.last + 1, resource)
    }

    private mutating func checkSize(_ size: Int?, _ resource: ResourceRequest) {
        guard let size, size > resource.maximumSize else { return }
        self = .failure(.size(size, resource))
    }
}

extension FetchResponse {
    fileprivate init(
        _ fields: HTTPFields, _ resource: ResourceRequest, offset: Int, size: Int?, now: HTTPDate
    ) {
        self.init(url: resource.target.url, offset: offset)
        contentType = fields.reportable("content-type")
        contentDisposition = fields.reportable("content-disposition")
        lastModified = fields.reportable("last-modified")
        contentEncoding = fields.coding
        validator = fields.validator(now: now)
        self.size = size
    }
}

extension FetchFailure {
    static func size(_ size: Int?, _ resource: ResourceRequest) -> FetchFailure {
        FetchFailure(
            .tooLarge(
                host: resource.target.origin.description, size: size, limit: resource.maximumSize))
    }
}
