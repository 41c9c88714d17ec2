/// An event about a request, written by `passconduit-fetch` as a line of JSON on standard output.
/// The last event of a request is ``finished(id:size:)``, ``notModified(id:announcesEvents:)``,
/// ``answered(id:status:)`` or ``failed(id:_:)``.
package enum FetchEvent: Sendable, Equatable, Codable {
    /// A body follows.
    case response(id: Int64, FetchResponse)
    /// The number of bytes of the body in the file; sent a few times per second.
    case progress(id: Int64, received: Int)
    /// A line of a stream, without its line end.
    case line(id: Int64, String)
    /// The file contains the complete body, or the server has ended the stream.
    case finished(id: Int64, size: Int)
    /// 304: the resource has not changed. `announcesEvents` as in ``FetchResponse``.
    case notModified(id: Int64, announcesEvents: Bool)
    /// The server has accepted a POST or DELETE, with a status from 200 to 299. `isRepeated` if the
    /// request was sent twice: the connection of the first one was closed before the response.
    case answered(id: Int64, status: Int, isRepeated: Bool)
    case failed(id: Int64, FetchFailure)

    package var id: Int64 {
        switch self {
        case .response(let id, _), .progress(let id, _), .line(let id, _), .finished(let id, _),
            .notModified(let id, _), .answered(let id, _, _), .failed(let id, _):
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
    /// Whether the server announces a stream of events, with `Passconduit-Events: 1`.
    package var announcesEvents = false

    package init(url: String, offset: Int) {
        self.url = url
        self.offset = offset
    }
}
