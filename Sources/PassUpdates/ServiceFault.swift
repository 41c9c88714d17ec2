package import PassModel

/// A mistake of a web service, reported to its log.
package enum ServiceFault: Sendable, Hashable {
    /// The response may not replace the pass.
    case unusablePass(PassIdentity, UpdateProblem)
    /// The response is the version that the request excluded by its date.
    case unchangedPass(PassIdentity)
    case noLastModified(PassIdentity)
    /// With the value of Last-Modified.
    case invalidLastModified(PassIdentity, String)
    case invalidList(passTypeIdentifier: String)
    /// The list contains passes for which this device is not registered.
    case unknownSerialNumbers(passTypeIdentifier: String, count: Int)
}
