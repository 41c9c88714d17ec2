public import Foundation

/// The server, the rate and the timeouts of a ``PushSender``.
///
/// ```swift
/// var options = PushOptions()
/// options.streams = 200
/// ```
public struct PushOptions: Sendable, Hashable {
    /// The host name of APNs. Wallet has no sandbox: passes have tokens for the production server,
    /// and the sandbox answers `BadDeviceToken` for all of them. This answer removes registrations
    /// only if it comes from `api.push.apple.com`, or from `localhost` in tests.
    public var host = "api.push.apple.com"
    /// The port. APNs also listens on 2197, for firewalls that block 443.
    public var port = 443
    /// The trusted authorities for the server's certificate, in PEM; nil for those of the system.
    public var authorities: [UInt8]?
    /// How long APNs stores a push for a device that is off, in seconds.
    public var expiry: TimeInterval = 30 * 86_400
    /// The `apns-push-type` of a request; nil to leave it out.
    public var pushType: String?
    /// The `apns-priority` of a request: 10 to deliver at once, 5 to save the device's battery.
    public var priority = 10
    /// The maximum number of concurrent requests. APNs allows about 1,000 per connection.
    public var streams = 500
    /// The maximum time for an answer of APNs, in seconds.
    public var timeout: TimeInterval = 20
    /// The interval between checks of the store when no push is due, in seconds.
    public var pollInterval: TimeInterval = 1
    /// The time after which a claimed push that was not settled is due again, in seconds.
    public var lease: TimeInterval = 120
    /// The maximum time to finish pushes in progress at a graceful shutdown, in seconds.
    public var grace: TimeInterval = 5

    /// Creates the default options.
    ///
    /// For example: `let options = PushOptions()`
    public init() {}
}
