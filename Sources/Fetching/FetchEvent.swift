/// What became of an order: a line of JSON each on the standard output of `passconduit-fetch`. Of each
/// request the last is ``finished(id:size:)``, ``notModified(id:)`` or ``failed(id:_:)``.
package enum FetchEvent: Sendable, Equatable, Codable {
    /// A body begins to come.
    case response(id: Int64, FetchResponse)
    /// How much of the body is in the file, in bytes; told a few times a second.
    case progress(id: Int64, received: Int)
    /// All of the body is in the file.
    case finished(id: Int64, size: Int)
    /// 304: what is there already is what there is.
    case notModified(id: Int64)
    case failed(id: Int64, FetchFailure)

    package var id: Int64 {
        switch self {
        case .response(let id, _), .progress(let id, _), .finished(let id, _), .notModified(let id),
            .failed(let id, _):
            id
        }
    }
}

/// What a server says of a body that it sends.
package struct FetchResponse: Sendable, Equatable, Codable {
    /// Where the body came from, after redirects.
    package var url: String
    /// The value of Content-Type.
    package var contentType: String?
    /// The value of Content-Disposition.
    package var contentDisposition: String?
    /// The value of Content-Encoding, in lower case, where it says that the body is coded; the file holds
    /// what was sent.
    package var contentEncoding: String?
    /// What a later request can go on from: a strong entity tag or a date that is strong enough.
    package var validator: String?
    /// The value of Last-Modified, as it was sent.
    package var lastModified: String?
    /// Where in the file the body goes on: 0 where all of it comes anew.
    package var offset: Int
    /// How many bytes the whole body has, those before `offset` included; nil while nobody says.
    package var size: Int?

    package init(url: String, offset: Int) {
        self.url = url
        self.offset = offset
    }
}
