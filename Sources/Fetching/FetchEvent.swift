/// An event about a request, written by `passconduit-fetch` as a line of JSON on standard output.
/// The last event of a request is ``finished(id:size:)``, ``notModified(id:)``,
/// ``answered(id:status:)`` or ``failed(id:_:)``.
package enum FetchEvent: Sendable, Equatable, Codable {
    /// A body follows.
    case response(id: Int64, FetchResponse)
    /// The number of bytes of the body in the file; sent a few times per second.
    case progress(id: Int64, received: Int)
    /// The file contains the complete body.
    case finished(id: Int64, size: Int)
    /// 304: the resource has not changed.
    case notModified(id: Int64)
    /// The server has accepted a POST, with a status from 200 to 299.
    case answered(id: Int64, status: Int)
    case failed(id: Int64, FetchFailure)

    package var id: Int64 {
        switch self {
        case .response(let id, _), .progress(let id, _), .finished(let id, _),
            .notModified(let id), .answered(let id, _), .failed(let id, _):
            id
        }
    }
}

/// The response head of a body.
package struct FetchResponse: Sendable, Equatable, Codable {
    /// The URL of the body, after redirects.
    package var url: String
    /// The value of Content-Type.
    package var contentType: String?
    /// The value of Content-Disposition.
    package var contentDisposition: String?
    /// The value of Content-Encoding in lower case, if the body is encoded; the file contains the
    /// encoded bytes.
    package var contentEncoding: String?
    /// The validator for resuming: a strong entity tag, or a date that is strong enough.
    package var validator: String?
    /// The value of Last-Modified.
    package var lastModified: String?
    /// The offset of this response in the body; 0 if it is sent from the start.
    package var offset: Int
    /// The size of the whole body in bytes; nil while unknown.
    package var size: Int?

    package init(url: String, offset: Int) {
        self.url = url
        self.offset = offset
    }
}
