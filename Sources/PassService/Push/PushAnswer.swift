internal import Foundation

/// The meaning of an answer from APNs, or of a missing answer.
package enum PushAnswer: Sendable, Hashable {
    /// The push is finished, with this outcome.
    case final(PushOutcome)
    /// APNs asks to retry later.
    case busy(reason: String)
    /// APNs cannot be reached, or the connection was lost.
    case unreachable(reason: String)
    /// APNs accepts no pushes for this pass type from this program: the certificate, the key, an
    /// option or the server is wrong.
    case misconfigured(reason: String)
    /// This program cancelled the request.
    case cancelled
}

extension PushAnswer {
    private struct Body: Decodable {
        let reason: String?
        /// In milliseconds since 1970.
        let timestamp: Double?
    }

    /// The provider token is too old.
    static let expiredToken = PushAnswer.misconfigured(reason: "ExpiredProviderToken")

    /// The servers whose `BadDeviceToken` is trusted. The sandbox reports it for all tokens of
    /// Wallet. Servers on this computer are for tests.
    private static let hosts = ["api.push.apple.com", "localhost", "127.0.0.1", "[::1]"]

    /// Follows the tables in Apple's "Handling notification responses from APNs".
    ///
    /// - Parameters:
    ///   - body: `{"reason":"Unregistered","timestamp":1629483600000}`, empty for 200.
    ///   - host: The name of the server.
    package init(status: Int, body: [UInt8], from host: String) {
        let body = try? JSONDecoder().decode(Body.self, from: Data(body))
        let reason = body?.reason ?? "\(status)"
        switch (status, reason) {
        case (200, _):
            self = .final(.delivered)
        case (400, "BadDeviceToken") where Self.hosts.contains(host.lowercased()):
            self = .final(.invalidToken)
        case (400, "IdleTimeout"):
            self = .busy(reason: reason)
        case (400, "DeviceTokenNotForTopic"):
            // Not `invalidToken`: if the key is that of another team, APNs may say this for all
            // devices, and a registration that is removed never comes back. Apple advises against
            // removal where a server has several topics (developer.apple.com/forums/thread/807380).
            self = .final(.refused(reason: reason))
        case (410, _):
            // The reason is Unregistered or ExpiredToken.
            let time = body?.timestamp.map { Date(timeIntervalSince1970: $0 / 1000) }
            self = .final(.unregistered(at: time))
        case (413, _):
            self = .final(.refused(reason: "PayloadTooLarge"))
        case (429, _), (500..., _):
            self = .busy(reason: reason)
        default:
            // Pushes for a pass type differ only in their tokens, so any other fault affects all of
            // them.
            self = .misconfigured(reason: reason)
        }
    }
}
