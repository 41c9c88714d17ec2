import Bytes
import Databases
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PassFixtures
import PassVerification
import Testing

@testable import PassService

/// Expected: Apple's "Adding a Web Service to Update Passes", and RFC 9110.
@Suite("The routes for devices answer as Apple describes them")
struct ServiceResponderTests {
    private static let type = PassMaker.type
    private static let right = "ApplePass \(Issuer.token)"
    private let issuer: Issuer
    private let store: ServiceStore

    init() async throws {
        issuer = try Issuer()
        store = try await StorePlace().open()
    }

    private func ask(
        _ method: HTTPRequest.Method, _ path: String, _ authorization: String? = right,
        _ headers: HTTPFields = [:], body: String? = nil, prefix: String = "",
        limits: ServiceLimits = ServiceLimits()
    ) async throws -> TestResponse {
        var headers = headers
        headers[.authorization] = authorization
        let application = Application(
            responder: ServiceResponder(store, prefix: prefix, limits: limits))
        let fields = headers
        return try await application.test(.router) { client in
            try await client.execute(
                uri: path, method: method, headers: fields,
                body: body.map { ByteBuffer(string: $0) })
        }
    }

    private func text(_ response: TestResponse) -> String {
        String(streamSafe: Array(response.body.readableBytesView))
    }

    private static func registration(_ serial: String, of type: String = type) -> String {
        "/v1/devices/d1/registrations/\(type)/\(serial)"
    }

    @Test("registering, listing, unregistering")
    func life() async throws {
        try await store.publish(issuer.pass("E4"))
        let list = "/v1/devices/d1/registrations/\(Self.type)"
        let token = #"{"pushToken": "00ff"}"#
        let empty = try await ask(.get, list)
        #expect(empty.status == .noContent)
        #expect(empty.headers[.contentLength] == nil)
        #expect(
            try await ask(.post, Self.registration("E4"), body: token).status == .created)
        #expect(try await ask(.post, Self.registration("E4"), body: token).status == .ok)
        let listed = try await ask(.get, list, nil)
        #expect(listed.status == .ok)
        #expect(listed.headers[.contentType] == "application/json")
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(listed.body.readableBytesView))
                as? [String: Any])
        #expect(answer["serialNumbers"] as? [String] == ["E4"])
        let tag = try #require(answer["lastUpdated"] as? String)
        let since = "\(list)?passesUpdatedSince=\(tag)"
        #expect(try await ask(.get, since, nil).status == .noContent)
        #expect(try await ask(.head, list, nil).status == .ok)
        try await store.publish(issuer.pass("E4", gate: "8"))
        #expect(try await ask(.get, since, nil).status == .ok)
        #expect(try await ask(.get, "\(list)?passesUpdatedSince=yesterday", nil).status == .ok)
        #expect(try await ask(.delete, Self.registration("E4")).status == .ok)
        #expect(try await ask(.delete, Self.registration("E4")).status == .ok)
        #expect(try await ask(.get, list, nil).status == .noContent)
    }

    @Test(
        "a wrong token, a missing one and an unknown pass look the same",
        arguments: [
            ("E4", "ApplePass wrong"), ("E4", nil), ("E4", ""), ("E4", "ApplePass"),
            ("E4", Issuer.token), ("E4", "Bearer \(Issuer.token)"),
            ("E4", "ApplePass \(Issuer.token)0"), ("E4", "ApplePass the-token-of-another-pass"),
            ("E5", right), ("E6", right), ("E6", "ApplePass wrong"), ("E6", nil),
        ])
    func unauthorized(serial: String, authorization: String?) async throws {
        try await store.publish(issuer.pass("E4"))
        try await store.publish(issuer.pass("E5", token: "the-token-of-another-pass"))
        let pass = "/v1/passes/\(Self.type)/\(serial)"
        for (method, path) in [
            (HTTPRequest.Method.get, pass), (.head, pass), (.post, Self.registration(serial)),
            (.delete, Self.registration(serial)),
        ] {
            let answer = try await ask(method, path, authorization, body: #"{"pushToken": "00"}"#)
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[.wwwAuthenticate] == "ApplePass")
            #expect(answer.headers[.contentLength] == "0")
            #expect(answer.body.readableBytes == 0)
        }
        #expect(try await store.status().registrations == 0)
    }

    @Test("a pass has a media type and validators, also for HEAD")
    func pass() async throws {
        let pass = try issuer.pass("E4")
        try await store.publish(pass, at: Date(timeIntervalSince1970: 784_111_777.9))
        let path = "/v1/passes/\(Self.type)/E4"
        let answer = try await ask(.get, path)
        #expect(answer.status == .ok)
        #expect(Array(answer.body.readableBytesView) == (try pass.octets.array()))
        let head = try await ask(.head, path, "applepass  \(Issuer.token) ")
        #expect(head.status == .ok)
        #expect(head.body.readableBytes == 0)
        for headers in [answer.headers, head.headers] {
            #expect(headers[.contentType] == "application/vnd.apple.pkpass")
            #expect(headers[.contentLength] == "\(pass.size)")
            #expect(headers[.lastModified] == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(headers[.eTag] == "\"\(pass.sha256)\"")
        }
    }

    @Test(
        "an unchanged pass is not sent again",
        arguments: [
            // The three forms of RFC 9110, 5.6.7.
            ([.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], 304),
            ([.ifModifiedSince: "Sunday, 06-Nov-94 08:49:37 GMT"], 304),
            ([.ifModifiedSince: "Sun Nov  6 08:49:37 1994"], 304),
            ([.ifModifiedSince: "Sun, 06 Nov 1994 08:49:36 GMT"], 200),
            ([.ifModifiedSince: "Sunday, 06-Nov-94 08:49:36 GMT"], 200),
            ([.ifModifiedSince: "Sun Nov  6 08:49:36 1994"], 200),
            ([.ifModifiedSince: "Mon, 07 Nov 1994 08:49:37 GMT"], 304),
            ([.ifModifiedSince: "784111777"], 200),
            ([.ifNoneMatch: "TAG"], 304),
            ([.ifNoneMatch: "W/TAG"], 304),
            ([.ifNoneMatch: #""other", TAG"#], 304),
            ([.ifNoneMatch: "*"], 304),
            ([.ifNoneMatch: #""other""#], 200),
            // RFC 9110, 13.2.2: the tag decides.
            (
                [.ifNoneMatch: #""other""#, .ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"],
                200
            ),
            ([.ifNoneMatch: "TAG", .ifModifiedSince: "Sun, 06 Nov 1994 08:49:36 GMT"], 304),
        ] as [(HTTPFields, Int)])
    func conditions(headers: HTTPFields, status: Int) async throws {
        let pass = try issuer.pass("E4")
        try await store.publish(pass, at: Date(timeIntervalSince1970: 784_111_777))
        var fields = HTTPFields()
        for field in headers {
            fields[field.name] = field.value.replacingOccurrences(
                of: "TAG", with: "\"\(pass.sha256)\"")
        }
        let answer = try await ask(.get, "/v1/passes/\(Self.type)/E4", Self.right, fields)
        #expect(answer.status.code == status)
        #expect(answer.headers[.eTag] == "\"\(pass.sha256)\"")
        #expect(answer.headers[.lastModified] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect((answer.body.readableBytes == 0) == (status == 304))
        #expect((answer.headers[.contentLength] == nil) == (status == 304))
    }

    @Test("the second of two updates within a second is sent")
    func twoUpdates() async throws {
        let moment = Date(timeIntervalSince1970: 784_111_777.2)
        let path = "/v1/passes/\(Self.type)/E4"
        var validators: [HTTPFields] = []
        for gate in ["1", "2", "3"] {
            try await store.publish(issuer.pass("E4", gate: gate), at: moment)
            if let last = validators.last {
                let since: HTTPFields = [.ifModifiedSince: try #require(last[.lastModified])]
                #expect(try await ask(.get, path, Self.right, since).status == .ok)
                let tagged: HTTPFields = [.ifNoneMatch: try #require(last[.eTag])]
                #expect(try await ask(.get, path, Self.right, tagged).status == .ok)
            }
            validators.append(try await ask(.get, path).headers)
        }
        #expect(Set(validators.map { $0[.eTag] }).count == 3)
        #expect(Set(validators.map { $0[.lastModified] }).count == 3)
    }

    @Test(
        "a serial number is decoded once",
        arguments: [
            ("E 4/5", "E%204%2F5"), ("100%", "100%25"), ("%2F", "%252F"), ("né", "n%C3%A9"),
            ("né", "n%c3%a9"), ("a+b", "a+b"), ("a?b", "a%3Fb"), ("..", "%2E%2E"),
        ])
    func encodedSerials(serial: String, path: String) async throws {
        try await store.publish(issuer.pass(serial))
        #expect(try await ask(.get, "/v1/passes/\(Self.type)/\(path)").status == .ok)
        let token = #"{"pushToken": "00"}"#
        #expect(
            try await ask(.post, Self.registration(path), body: token).status == .created)
        let changes = try await store.changes(for: "d1", ofType: Self.type, since: nil)
        #expect(changes?.serialNumbers == [serial])
    }

    @Test(
        "other paths do not exist",
        arguments: [
            "/", "/v1", "/v1/", "/v2/log", "/v1/log/", "/v1/passes/a", "/v1/passes/a/",
            "/v1/passes//b", "/v1/passes/a/b/c", "/v1/passes/a/%", "/v1/passes/a/%2",
            "/v1/passes/a/%zz", "/v1/passes/a/%00", "/v1/passes/a/%FF", "/v1/devices/d",
            "/v1/devices/d/registrations", "/v1/devices/d/registration/a", "/V1/log", "//v1/log",
            "/v1/devices/d/events",
        ])
    func otherPaths(path: String) async throws {
        #expect(try await ask(.get, path).status == .notFound)
    }

    @Test("the routes are under the prefix only", arguments: ["/wallet", "/wallet/"])
    func prefixes(prefix: String) async throws {
        let body = #"{"logs": ["one"]}"#
        for (path, status) in [
            ("/wallet/v1/log", HTTPResponse.Status.ok), ("/v1/log", .notFound),
            ("/wallet2/v1/log", .notFound), ("/wallet/wallet/v1/log", .notFound),
        ] {
            let answer = try await ask(.post, path, nil, body: body, prefix: prefix)
            #expect(answer.status == status)
        }
    }

    @Test(
        "other methods are not allowed",
        arguments: [
            (HTTPRequest.Method.put, "/v1/passes/a/b", "GET, HEAD"),
            (.delete, "/v1/passes/a/b", "GET, HEAD"),
            (.post, "/v1/devices/d/registrations/a", "GET, HEAD"),
            (.get, "/v1/devices/d/registrations/a/b", "POST, DELETE"),
            (.get, "/v1/log", "POST"),
        ])
    func methods(method: HTTPRequest.Method, path: String, allowed: String) async throws {
        let answer = try await ask(method, path)
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers[.allow] == allowed)
    }

    @Test("messages are logged")
    func log() async throws {
        let body = #"{"logs": ["one", "two\u0000"], "more": 1}"#
        let answer = try await ask(.post, "/v1/log", nil, body: body)
        #expect(answer.status == .ok)
        #expect(try await store.logLines().map(\.text) == ["two\u{FFFD}", "one"])
    }

    @Test(
        "bodies that are not as described are refused",
        arguments: [
            "", "null", "[]", "{}", #"{"pushToken": 7}"#, #"{"pushToken": ""}"#,
            #"{"pushToken": "xyz"}"#, #"{"pushToken": "00 ff"}"#, #"{"pushToken": "00""#,
            #"{"pushToken": null}"#, #"{"events": true}"#,
        ])
    func badBodies(body: String) async throws {
        try await store.publish(issuer.pass("E4"))
        let answer = try await ask(.post, Self.registration("E4"), body: body)
        #expect(answer.status == .badRequest)
        #expect(answer.body.readableBytes == 0)
        #expect(try await ask(.post, "/v1/log", nil, body: body).status == .badRequest)
        #expect(try await store.status().registrations == 0)
    }

    @Test("what exceeds a limit by one is refused, and the error names no internals")
    func limits() async throws {
        try await store.publish(issuer.pass("E4"))
        let body = #"{"logs": ["one", "two"]}"#
        let path = Self.registration("E4")
        var limits = ServiceLimits()
        func log() async throws -> Int {
            try await ask(.post, "/v1/log", nil, body: body, limits: limits).status.code
        }
        limits.bodyBytes = body.utf8.count
        #expect(try await log() == 200)
        limits.bodyBytes -= 1
        #expect(try await log() == 413)
        limits = ServiceLimits()
        limits.logLines = 2
        #expect(try await log() == 200)
        limits.logLines = 1
        #expect(try await log() == 413)
        limits = ServiceLimits()
        limits.targetBytes = 7
        #expect(try await log() == 200)
        limits.targetBytes = 6
        #expect(try await log() == 414)
        limits = ServiceLimits()
        limits.identifierBytes = 4
        for (token, status) in [("00ff", 201), ("00ff0", 400)] {
            let body = #"{"pushToken": "\#(token)"}"#
            let answer = try await ask(.post, path, body: body, limits: limits)
            #expect(answer.status.code == status)
        }
        let field: HTTPFields = [.userAgent: String(repeating: "x", count: 16_384)]
        #expect(try await ask(.get, path, Self.right, field).status.code == 431)
    }

    @Test(
        "while the database is unavailable, the response is neither 401 nor 404",
        arguments: [
            (ServiceError.locked("/srv"), 503), (.unavailable("db.example", message: ""), 503),
            (.tooManyDevices(Issuer.identity("E4")), 403),
            (.database(path: "a", message: "b"), 500),
        ])
    func failures(error: ServiceError, status: Int) {
        let response = ServiceResponder(store).response(to: error)
        #expect(response.status.code == status)
        #expect(response.headers[.retryAfter] == (status == 503 ? "30" : nil))
    }

    @Test("an error of the store is answered without a reason")
    func failure() async throws {
        try await store.publish(issuer.pass("E4"))
        try await store.write { db in try db.rows("ALTER TABLE files RENAME TO lost") }
        let answer = try await ask(.get, "/v1/passes/\(Self.type)/E4")
        #expect(answer.status == .internalServerError)
        #expect(answer.body.readableBytes == 0)
    }
}
