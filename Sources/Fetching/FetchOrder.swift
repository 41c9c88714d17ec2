/// What `passconduit-fetch` is asked for: its standard input holds a ``FetchConfiguration``, then orders,
/// each a line of JSON. It ends when its input does; what it was fetching stays where it is.
package enum FetchOrder: Sendable, Equatable, Codable {
    case get(FetchRequest)
    /// Stops fetching what has this number. What came so far stays in the file, and no event follows.
    case cancel(Int64)
}

/// Something to be fetched into a file.
package struct FetchRequest: Sendable, Equatable, Codable {
    /// What the events about it are known by.
    package var id: Int64
    /// Absolute; `https:`, or `http:` where its terms allow it.
    package var url: String
    /// The name of the file in the folder of downloads. What it holds already is kept only where the
    /// server goes on from there.
    package var file: String
    /// Where to go on in what an earlier request began to send.
    package var resumption: Resumption?
    package var terms: FetchTerms
    /// Sent as `Authorization: ApplePass`, to the host of `url` alone.
    package var authenticationToken: String?
    /// The value of If-Modified-Since (RFC 9110, 13.1.3).
    package var modifiedSince: String?

    /// The rest of a body, if it is still the same body (RFC 9110, 13.1.5 and 14.2).
    package struct Resumption: Sendable, Equatable, Codable {
        /// How many bytes are there.
        package var offset: Int
        /// A strong entity tag, or the date of the last change: the value of If-Range.
        package var validator: String
        /// How many bytes the whole body has, where its server said so.
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
