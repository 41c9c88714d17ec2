/// The limits of the web service. The server that calls the responder applies those for
/// connections; the responder and the store apply the others.
///
/// ```swift
/// var limits = ServiceLimits()
/// limits.bodyBytes = 16_384
/// ```
public struct ServiceLimits: Sendable, Hashable {
    /// The maximum size of a request body, in bytes; a larger one is answered with 413.
    public var bodyBytes = 65_536
    /// The maximum size of all header fields of a request, in bytes, counted as in RFC 9113, 6.5.2
    /// without the overhead; larger ones are answered with 431.
    public var headerBytes = 16_384
    /// The maximum length of a request's path and query, in bytes; a longer one is answered with
    /// 414.
    public var targetBytes = 4_096
    /// The maximum number of messages in a request to `/v1/log`; more are answered with 413.
    public var logLines = 100
    /// The maximum length of a device's library identifier and of a push token, in bytes; longer
    /// ones are answered with 400.
    public var identifierBytes = 256
    /// The maximum number of serial numbers in one answer. The rest follows in the answer to the
    /// next request, which begins at the tag of this one.
    public var serialNumbers = 10_000
    /// The maximum number of devices that can register for one pass. Whoever has the pass can
    /// register devices, and each update sends a push to all of them.
    public var devicesPerPass = 200_000
    /// The maximum number of connections; further ones wait until one is closed.
    public var connections = 4_096
    /// After this time without a request, in seconds, a connection is closed.
    public var idleSeconds: Int64 = 60
    /// The maximum number of log lines in the store; the oldest ones are removed.
    public var storedLogLines = 100_000

    /// Creates the default limits.
    ///
    /// For example: `let responder = ServiceResponder(store, limits: ServiceLimits())`
    public init() {}
}
