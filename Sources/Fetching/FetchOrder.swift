/// An order to `passconduit-fetch`, whose standard input consists of a ``FetchConfiguration`` and
/// orders, each a line of JSON. At the end of the input, the program ends; partial files are kept.
package enum FetchOrder: Sendable, Equatable, Codable {
    case get(FetchRequest)
    /// Cancels the request with this ID. The partial file is kept, and no event follows.
    case cancel(Int64)
}

/// A request to fetch a URL into a file, or to post to it.
package struct FetchRequest: Sendable, Equatable, Codable {
    package enum Method: String, Sendable, Codable {
        case get = "GET"
        /// Redirects are not followed: the body and the token are for this URL only.
        case post = "POST"
    }

    /// The ID used in events.
    package var id: Int64
    /// An absolute `https:` URL, or `http:` if the terms allow it.
    package var url: String
    package var method = Method.get
    /// The body of a POST: JSON of at most ``longestJSON`` bytes.
    package var json: String?
    /// The file name in the download folder. Existing contents are kept only if the server resumes.
    /// Not used without ``writesFile``.
    package var file: String
    /// Where to resume an earlier request.
    package var resumption: Resumption?
    package var terms: FetchTerms
    /// Sent as `Authorization: ApplePass`, only to the host of `url`.
    package var authenticationToken: String?
    /// The value of If-Modified-Since (RFC 9110, 13.1.3).
    package var modifiedSince: String?

    /// A request for the rest of a body, provided it is unchanged (RFC 9110, 13.1.5 and 14.2).
    package struct Resumption: Sendable, Equatable, Codable {
        /// The number of bytes received before.
        package var offset: Int
        /// The value of If-Range: a strong entity tag, or the date of the last change.
        package var validator: String
        /// The size of the whole body in bytes, if known.
        package var expectedSize: Int?

        package init(offset: Int, validator: String, expectedSize: Int? = nil) {
            self.offset = offset
            self.validator = validator
            self.expectedSize = expectedSize
        }
    }

    package init(id: Int64, url: String, file: String, _ terms: FetchTerms) {
        self.id = id
        self.url = url
        self.file = file
        self.terms = terms
    }
}
