internal import Foundation

/// What follows from an answer of APNs, or from its absence.
package enum PushAnswer: Sendable, Hashable {
    /// The push needs no other attempt.
    case final(PushOutcome)
    /// APNs does not want this push now.
    case busy(reason: String)
    /// There is no connection to APNs, or it broke.
    case unreachable(reason: String)
    /// APNs does not take pushes for this pass type with this certificate or key, to no device.
    case misconfigured(reason: String)
    /// The provider token is too old.
    case expiredToken
    /// This program ended the request.
    case cancelled
}

extension PushAnswer {
    private struct Body: Decodable {
        let reason: String?
        /// In milliseconds since 1970.
        let timestamp: Double?
    }

    /// After the tables of Apple's "Handling notification responses from APNs".
    ///
    /// - Parameter body: `{"reason":"Unregistered","timestamp":1629483600000}`, empty for 200.
    package init(status: Int, body: [UInt8]) {
        let body = try? JSONDecoder().decode(Body.self, from: Data(body))
        let reason = body?.reason ?? "\(status)"
        switch (status, reason) {
        case (200, _):
            self = .final(.delivered)
        case (400, "BadDeviceToken"):
            self = .final(.invalidToken)
        case (400, "BadTopic"), (400, "TopicDisallowed"):
            self = .misconfigured(reason: reason)
        case (400, "IdleTimeout"):
            self = .busy(reason: reason)
        case (400, "DeviceTokenNotForTopic"):
            // Not `invalidToken`: if the key is that of another team, APNs may say this for all
            // devices, and a registration that is removed never comes back. Apple advises against
            // removal where a server has several topics (developer.apple.com/forums/thread/807380).
            self = .final(.refused(reason: reason))
        case (403, "ExpiredProviderToken"):
            self = .expiredToken
        case (403, _):
            self = .misconfigured(reason: reason)
        case (410, _):
            // Unregistered or ExpiredToken.
            let time = body?.timestamp.map { Date(timeIntervalSince1970: $0 / 1000) }
            self = .final(.unregistered(at: time))
        case (429, _), (500..., _):
            self = .busy(reason: reason)
        default:
            self = .final(.refused(reason: reason))
        }
    }
}
