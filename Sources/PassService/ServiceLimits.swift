/// The limits of the web service. The server made by `HTTPServerBuilder.passService` applies the
/// limits for connections and times; the responder and the store apply the others.
///
/// ```swift
/// var limits = ServiceLimits()
/// limits.bodyBytes = 16_384
/// ```
public struct ServiceLimits: Sendable, Hashable {
    /// The maximum size of a request body, in bytes; a larger one is answered with 413.
    public var bodyBytes = 65_536
    /// The maximum size of the names and values of all header fields of a request, in bytes; larger
    /// ones are answered with 431.
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
    /// The maximum number of devices that can register for one pass. Anyone who has the pass can
    /// register any number of devices, and each update sends a push to all of them.
    public var devicesPerPass = 10_000
    /// The maximum number of connections, for the `availableConnectionsDelegate` of the
    /// application; further ones wait until one is closed.
    public var connections = 4_096
    /// The maximum time without a complete request head before a connection is closed, in seconds.
    public var idleSeconds: Int64 = 60
    /// The maximum time from the head of a request to the end of its body, in seconds.
    public var bodySeconds: Int64 = 30
    /// The maximum time from the end of a request to the end of its answer, in seconds.
    public var answerSeconds: Int64 = 120
    /// The maximum total size of answers being sent, in bytes; further requests are answered with
    /// 503. A slow reader keeps its answer in memory for up to ``answerSeconds``.
    public var answerBytes = 128 << 20
    /// The maximum age of a connection, in seconds. Clients then connect again.
    public var connectionSeconds: Int64 = 3_600
    /// The maximum time to finish requests in progress when the server shuts down, in seconds.
    public var shutdownSeconds: Int64 = 10
    /// The value of Retry-After when the database is unavailable or locked, in seconds.
    public var retrySeconds: Int64 = 30
    /// The maximum length of a stored log message, in bytes of UTF-8; the rest is cut off.
    public var logLineBytes = 1_024
    /// The maximum number of log lines in the store; the oldest ones are removed.
    public var storedLogLines = 100_000

    /// Creates the default limits.
    ///
    /// For example: `let responder = ServiceResponder(store, limits: ServiceLimits())`
    public init() {}
}
