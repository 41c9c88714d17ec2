import Foundation
import PassService
import Testing

/// Expected: Apple's "Handling notification responses from APNs".
@Suite("An answer of APNs concerns one push, or all pushes of a pass type")
struct PushAnswerTests {
    @Test(
        "each status and reason in Apple's tables",
        arguments: [
            (200, nil, .final(.delivered)),
            (400, "BadCollapseId", .misconfigured(reason: "BadCollapseId")),
            (400, "BadDeviceToken", .final(.invalidToken)),
            (400, "BadExpirationDate", .misconfigured(reason: "BadExpirationDate")),
            (400, "BadMessageId", .misconfigured(reason: "BadMessageId")),
            (400, "BadPriority", .misconfigured(reason: "BadPriority")),
            (400, "BadTopic", .misconfigured(reason: "BadTopic")),
            (400, "DeviceTokenNotForTopic", .final(.refused(reason: "DeviceTokenNotForTopic"))),
            (400, "DuplicateHeaders", .misconfigured(reason: "DuplicateHeaders")),
            (400, "IdleTimeout", .busy(reason: "IdleTimeout")),
            (400, "InvalidPushType", .misconfigured(reason: "InvalidPushType")),
            (400, "MissingDeviceToken", .misconfigured(reason: "MissingDeviceToken")),
            (400, "MissingTopic", .misconfigured(reason: "MissingTopic")),
            (400, "PayloadEmpty", .misconfigured(reason: "PayloadEmpty")),
            (400, "TopicDisallowed", .misconfigured(reason: "TopicDisallowed")),
            (403, "BadCertificate", .misconfigured(reason: "BadCertificate")),
            (
                403, "BadCertificateEnvironment",
                .misconfigured(reason: "BadCertificateEnvironment")
            ),
            (
                403, "ExpiredProviderToken", .misconfigured(reason: "ExpiredProviderToken")
            ),
            (403, "Forbidden", .misconfigured(reason: "Forbidden")),
            (403, "InvalidProviderToken", .misconfigured(reason: "InvalidProviderToken")),
            (403, "MissingProviderToken", .misconfigured(reason: "MissingProviderToken")),
            (404, "BadPath", .misconfigured(reason: "BadPath")),
            (405, "MethodNotAllowed", .misconfigured(reason: "MethodNotAllowed")),
            (410, "ExpiredToken", .final(.unregistered(at: nil))),
            (410, "Unregistered", .final(.unregistered(at: nil))),
            (413, "PayloadTooLarge", .final(.refused(reason: "PayloadTooLarge"))),
            (
                429, "TooManyProviderTokenUpdates",
                .busy(reason: "TooManyProviderTokenUpdates")
            ),
            (429, "TooManyRequests", .busy(reason: "TooManyRequests")),
            (500, "InternalServerError", .busy(reason: "InternalServerError")),
            (503, "ServiceUnavailable", .busy(reason: "ServiceUnavailable")),
            (503, "Shutdown", .busy(reason: "Shutdown")),
            // From a proxy, or a later version of APNs.
            (302, nil, .misconfigured(reason: "302")),
            (400, nil, .misconfigured(reason: "400")),
            (403, nil, .misconfigured(reason: "403")),
            (413, nil, .final(.refused(reason: "PayloadTooLarge"))),
            (418, "Teapot", .misconfigured(reason: "Teapot")),
            (502, nil, .busy(reason: "502")),
        ] as [(Int, String?, PushAnswer)])
    func answers(status: Int, reason: String?, expected: PushAnswer) {
        let body = reason.map { #"{"reason":"\#($0)"}"# } ?? ""
        let answer = PushAnswer(
            status: status, body: Array(body.utf8), from: "api.push.apple.com")
        #expect(answer == expected)
    }

    /// Expected: the servers in Apple's "Sending notification requests to APNs". Passes have tokens
    /// for the production server.
    @Test(
        "only the production server or a test can declare a token bad",
        arguments: [
            ("api.push.apple.com", true), ("API.push.apple.com", true), ("localhost", true),
            ("127.0.0.1", true), ("[::1]", true), ("api.sandbox.push.apple.com", false),
            ("api.development.push.apple.com", false), ("push.example", false),
            ("localhost.example", false),
        ])
    func servers(host: String, isBelieved: Bool) {
        let body = Array(#"{"reason":"BadDeviceToken"}"#.utf8)
        let expected: PushAnswer =
            isBelieved ? .final(.invalidToken) : .misconfigured(reason: "BadDeviceToken")
        #expect(PushAnswer(status: 400, body: body, from: host) == expected)
    }

    @Test(
        "the time at which a device was unregistered is in milliseconds",
        arguments: [
            (#"{"reason":"Unregistered","timestamp":1629483600123}"#, 1_629_483_600.123),
            (#"{"timestamp":1629483600000,"reason":"ExpiredToken"}"#, 1_629_483_600),
            (#"{"reason":"Unregistered"}"#, nil),
            (#"{"reason":"Unregistered","timestamp":"soon"}"#, nil),
            ("", nil), ("<html>", nil), (#"["Unregistered"]"#, nil),
        ] as [(String, Double?)])
    func timestamps(body: String, seconds: Double?) {
        let date = seconds.map { Date(timeIntervalSince1970: $0) }
        let answer = PushAnswer(
            status: 410, body: Array(body.utf8), from: "api.push.apple.com")
        #expect(answer == .final(.unregistered(at: date)))
    }
}
