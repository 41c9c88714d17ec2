internal import Cryptography
package import Foundation
internal import Synchronization

/// A provider token, which proves to APNs that a server belongs to a team: a JSON Web Token (RFC
/// 7519) with the team and the time of issue, signed with ES256.
///
/// ```
/// {"alg":"ES256","kid":"ABC1234567"}.{"iss":"DEF1234567","iat":1437179036}.signature
/// ```
///
/// According to Apple's "Establishing a token-based connection to APNs", APNs refuses tokens older
/// than an hour, and servers that change their token more than once in 20 minutes.
package final class ProviderToken: Sendable {
    private let key: PrivateKey
    private let identifier: String
    private let team: String
    private let state = Mutex(State())

    private struct State {
        var token: (text: String, issued: Date)?
        /// The time of the last replacement of a token that APNs reported as expired.
        var replaced: Date?
    }

    /// The age at which a token is replaced, in seconds.
    package static let age: TimeInterval = 40 * 60
    /// The minimum time between two replacements of expired tokens, in seconds.
    package static let pause: TimeInterval = 20 * 60

    /// - Parameters:
    ///   - file: The path of the key, an `AuthKey_….p8` of Apple's developer portal.
    ///   - identifier: The identifier of the key.
    ///   - team: The identifier of the team.
    package init(key file: String, identifier: String, team: String) throws(PushError) {
        let secret: Secret
        do throws(SecretFileError) {
            secret = try Secret(privateFile: file)
        } catch {
            throw .secretFile(error)
        }
        guard let key = try? PrivateKey(pem: secret, password: nil), key.kind == .ec(.p256) else {
            throw .notATokenKey(path: file)
        }
        self.key = key
        self.identifier = identifier
        self.team = team
    }

    /// The token for a request; nil if OpenSSL fails.
    package func current(at time: Date = .now) -> String? {
        state.withLock { state in
            if let token = state.token {
                // Negative if the clock was set back.
                let age = time.timeIntervalSince(token.issued)
                if (0..<Self.age).contains(age) { return token.text }
            }
            return issue(at: time, &state)
        }
    }

    /// A replacement for a token that APNs reported as expired; nil if the last replacement was too
    /// recent, which means that the clock is wrong.
    package func replacement(for expired: String, at time: Date = .now) -> String? {
        state.withLock { state in
            // Another request has replaced the token already.
            if let token = state.token, token.text != expired { return token.text }
            if let replaced = state.replaced,
                abs(time.timeIntervalSince(replaced)) < Self.pause
            {
                return nil
            }
            state.replaced = time
            return issue(at: time, &state)
        }
    }

    private struct Header: Encodable {
        let alg = "ES256"
        let kid: String
    }

    private struct Claims: Encodable {
        let iss: String
        let iat: Int64
    }

    private func issue(at time: Date, _ state: inout State) -> String? {
        let encoder = JSONEncoder()
        let seconds = Int64(exactly: time.timeIntervalSince1970.rounded(.down)) ?? 0
        guard let header = try? encoder.encode(Header(kid: identifier)),
            let claims = try? encoder.encode(Claims(iss: team, iat: seconds))
        else { return nil }
        let signed = "\(base64URL(header)).\(base64URL(claims))"
        guard let signature = key.signES256(Array(signed.utf8)) else { return nil }
        let text = "\(signed).\(base64URL(Data(signature)))"
        state.token = (text, time)
        return text
    }
}

/// Base64 for URLs, without padding (RFC 7515, 2).
private func base64URL(_ bytes: Data) -> String {
    bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
}
