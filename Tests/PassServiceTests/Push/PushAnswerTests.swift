import Foundation
import PassService
import Testing

/// Expected: Apple's "Handling notification responses from APNs".
@Suite("An answer of APNs decides about the push, or about all pushes of a pass type")
struct PushAnswerTests {
    @Test(
        "each status and reason in Apple's tables",
        arguments: [
            (200, nil, .final(.delivered)),
            (400, "BadCollapseId", .final(.refused(reason: "BadCollapseId"))),
            (400, "BadDeviceToken", .final(.invalidToken)),
            (400, "BadExpirationDate", .final(.refused(reason: "BadExpirationDate"))),
            (400, "BadMessageId", .final(.refused(reason: "BadMessageId"))),
            (400, "BadPriority", .final(.refused(reason: "BadPriority"))),
            (400, "BadTopic", .misconfigured(reason: "BadTopic")),
            (400, "DeviceTokenNotForTopic", .final(.refused(reason: "DeviceTokenNotForTopic"))),
            (400, "DuplicateHeaders", .final(.refused(reason: "DuplicateHeaders"))),
            (400, "IdleTimeout", .busy(reason: "IdleTimeout")),
            (400, "InvalidPushType", .final(.refused(reason: "InvalidPushType"))),
            (400, "MissingDeviceToken", .final(.refused(reason: "MissingDeviceToken"))),
            (400, "MissingTopic", .final(.refused(reason: "MissingTopic"))),
            (400, "PayloadEmpty", .final(.refused(reason: "PayloadEmpty"))),
            (400, "TopicDisallowed", .misconfigured(reason: "TopicDisallowed")),
            (403, "BadCertificate", .misconfigured(reason: "BadCertificate")),
            (
                403, "BadCertificateEnvironment",
                .misconfigured(reason: "BadCertificateEnvironment")
            ),
            (403, "ExpiredProviderToken", .expiredToken),
            (403, "Forbidden", .misconfigured(reason: "Forbidden")),
            (403, "InvalidProviderToken", .misconfigured(reason: "InvalidProviderToken")),
            (403, "MissingProviderToken", .misconfigured(reason: "MissingProviderToken")),
            (404, "BadPath", .final(.refused(reason: "BadPath"))),
            (405, "MethodNotAllowed", .final(.refused(reason: "MethodNotAllowed"))),
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
            // Of a proxy, or of a later version of APNs.
            (302, nil, .final(.refused(reason: "302"))),
            (400, nil, .final(.refused(reason: "400"))),
            (403, nil, .misconfigured(reason: "403")),
            (418, "Teapot", .final(.refused(reason: "Teapot"))),
            (502, nil, .busy(reason: "502")),
        ] as [(Int, String?, PushAnswer)])
    func answers(status: Int, reason: String?, expected: PushAnswer) {
        let body = reason.map { #"{"reason":"\#($0)"}"# } ?? ""
        #expect(PushAnswer(status: status, body: Array(body.utf8)) == expected)
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
        let answer = PushAnswer(status: 410, body: Array(body.utf8))
        #expect(answer == .final(.unregistered(at: date)))
    }
}
