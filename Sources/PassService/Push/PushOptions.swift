public import Foundation

/// The server, the speed and the patience of a ``PushSender``.
///
/// ```swift
/// var options = PushOptions()
/// options.streams = 200
/// ```
public struct PushOptions: Sendable, Hashable {
    /// The name of APNs' server. Wallet has no sandbox: its passes have tokens of the production
    /// server, and the sandbox answers `BadDeviceToken`. No registration is removed for this answer
    /// of a server other than `api.push.apple.com`, or `localhost` in tests.
    public var host = "api.push.apple.com"
    /// Its port. APNs also listens on 2197, for firewalls that filter 443.
    public var port = 443
    /// The authorities that the server's certificate is checked against, in PEM; nil for those of the
    /// system.
    public var authorities: [UInt8]?
    /// The time for which APNs keeps a push for a device that is off, in seconds.
    public var expiry: TimeInterval = 30 * 86_400
    /// The `apns-push-type` of a request; nil to leave it out.
    public var pushType: String?
    /// The `apns-priority` of a request: 10 for delivery at once, 5 for delivery when it suits the
    /// battery.
    public var priority = 10
    /// The maximum number of requests at a time. APNs allows about 1,000 for a connection.
    public var streams = 500
    /// The maximum time for an answer of APNs, in seconds.
    public var timeout: TimeInterval = 20
    /// The time between two looks into the store if nothing is due, in seconds.
    public var pollInterval: TimeInterval = 1
    /// The time after which a push that was begun and never settled is due again, in seconds.
    public var lease: TimeInterval = 120
    /// The maximum time for pushes that have begun, after the service is told to end, in seconds.
    public var grace: TimeInterval = 5

    /// Creates the default options.
    ///
    /// For example: `let options = PushOptions()`
    public init() {}
}
