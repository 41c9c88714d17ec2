internal import Fetching

/// The properties of a request that determine the meaning of its response.
struct ResourceRequest: Sendable {
    /// The URL of the request.
    var target: Target
    var method = FetchRequest.Method.get
    /// The offset in the body from which the rest is requested; nil for the whole body.
    var offset: Int?
    /// The validator of the range request.
    var validator: String?
    /// The size of the whole body in bytes, if known.
    var expectedSize: Int?
    /// Whether the request was conditional (If-Modified-Since).
    var isConditional = false
    var maximumSize: Int

    /// Whether the body may have this size.
    func expects(_ size: Int?) -> Bool {
        size == nil || expectedSize == nil || size == expectedSize
    }
}
