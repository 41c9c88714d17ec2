package import PassModel

/// A mistake of a web service, reported to its log.
package enum ServiceFault: Sendable, Hashable {
    /// The pass in the response may not replace the one in the library.
    case unusablePass(PassIdentity, UpdateProblem)
    /// The response contains a pass that has not changed since If-Modified-Since of the request.
    case unchangedPass(PassIdentity)
    case noLastModified(PassIdentity)
    /// Last-Modified has this value, which is not an HTTP date.
    case invalidLastModified(PassIdentity, String)
}
