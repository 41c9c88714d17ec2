import Bytes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PassFixtures
import PassModel
import PassVerification
import Testing

@testable import PassService

@Suite("People download a pass from a page with a secret address")
struct DownloadPageTests {
    private let issuer: Issuer
    private let store: ServiceStore

    init() async throws {
        issuer = try Issuer()
        store = try await StorePlace().open()
    }

    private func ask(
        _ path: String, _ method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:],
        hasPage: Bool = true, signer: TemplateSigner? = nil, hasFailures: Bool = true
    ) async throws -> TestResponse {
        let page: DownloadPage.Maker = { subject in
            switch subject {
            case .pass(let pass, let file, let link):
                DownloadPage(
                    html: "<p>\(pass.identity.serialNumber) \(file.count) \(link)</p>",
                    style: "p{}")
            default: hasFailures ? DownloadPage(html: "<p>\(subject)</p>", style: "p{}") : nil
            }
        }
        let responder = ServiceResponder(
            store, prefix: "/wallet", signer: signer, page: hasPage ? page : nil)
        return try await Application(responder: responder).test(.router) { client in
            try await client.execute(uri: path, method: method, headers: headers)
        }
    }

    private func key(_ serial: String) async throws -> String {
        try #require(try await store.pass(Issuer.identity(serial))).downloadKey
    }

    @Test("the page allows only its own style, and keeps its address secret")
    func page() async throws {
        let pass = try issuer.pass("E4")
        try await store.publish(pass)
        let key = try await key("E4")
        let path = "/wallet/download/\(key)"
        let answer = try await ask(path)
        #expect(answer.status == .ok)
        let text = String(streamSafe: Array(answer.body.readableBytesView))
        #expect(text == "<p>E4 \(pass.size) \(key)/pass.pkpass</p>")
        // printf 'p{}' | openssl dgst -sha256 -binary | base64
        let digest = try run(
            ["sh", "-c", "printf 'p{}' | openssl dgst -sha256 -binary | base64"], input: [])
        let hash = String(streamSafe: digest).split(separator: "\n").first ?? ""
        let head = try await ask(path, .head)
        #expect(head.status == .ok)
        #expect(head.body.readableBytes == 0)
        for headers in [answer.headers, head.headers] {
            #expect(
                headers[.contentSecurityPolicy]
                    == "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; "
                    + "form-action 'none'; frame-ancestors 'none'")
            #expect(headers[.contentType] == "text/html; charset=utf-8")
            #expect(headers[.xContentTypeOptions] == "nosniff")
            #expect(headers[.cacheControl] == "private, no-cache")
            for (name, value) in [("Referrer-Policy", "no-referrer"), ("X-Robots-Tag", "noindex")] {
                #expect(headers[try #require(HTTPField.Name(name))] == value)
            }
        }
        #expect(try await ask(path, .post).headers[.allow] == "GET, HEAD")
    }

    @Test("a pass that is not signed yet is signed for its page")
    func unsigned() async throws {
        let row = Issuer.row("E4")
        _ = try await store.publish([row], of: PublishedTemplate(Issuer.template))
        let key = try await key("E4")
        let path = "/wallet/download/\(key)"
        #expect(try await ask(path).status == .serviceUnavailable)
        let signer = try issuer.signer()
        let page = try await ask(path, signer: TemplateSigner(store) { _ in signer })
        #expect(page.status == .ok)
        let size = try #require(try await store.file(of: Issuer.identity("E4"))).bytes.count
        let text = String(streamSafe: Array(page.body.readableBytesView))
        #expect(text == "<p>E4 \(size) \(key)/pass.pkpass</p>")
    }

    @Test("the file has a name, a media type and validators")
    func file() async throws {
        let pass = try issuer.pass("E4")
        try await store.publish(pass)
        let path = "/wallet/download/\(try await key("E4"))/pass.pkpass"
        let answer = try await ask(path)
        #expect(Array(answer.body.readableBytesView) == (try pass.octets.array()))
        let head = try await ask(path, .head)
        for headers in [answer.headers, head.headers] {
            #expect(headers[.contentType] == "application/vnd.apple.pkpass")
            #expect(headers[.contentLength] == "\(pass.size)")
            #expect(headers[.eTag] == "\"\(pass.sha256)\"")
            #expect(headers[.cacheControl] == "private, no-cache")
            #expect(
                headers[.contentDisposition]
                    == "attachment; filename=\"E4.pkpass\"; filename*=UTF-8''E4.pkpass")
        }
        let again = try await ask(path, .get, [.ifNoneMatch: "\"\(pass.sha256)\""])
        #expect(again.status == .notModified)
        #expect(again.headers[.contentLength] == nil)
    }

    @Test("a failed download has a page, and other paths have none")
    func failures() async throws {
        _ = try await store.publish([Issuer.row("E4")], of: PublishedTemplate(Issuer.template))
        let path = "/wallet/download/\(try await key("E4"))"
        for (path, status, text) in [
            (path, 503, "<p>unavailable</p>"),
            ("\(path)/pass.pkpass", 503, "<p>unavailable</p>"),
            ("\(path)0", 404, "<p>notFound</p>"), ("/wallet/downloads", 404, ""),
            ("/wallet/v1/passes/a/b", 401, ""), ("/wallet/v1/nothing", 404, ""),
        ] {
            let answer = try await ask(path)
            #expect(answer.status.code == status)
            #expect(String(streamSafe: Array(answer.body.readableBytesView)) == text, "\(path)")
            #expect(answer.headers[.contentLength] == "\(text.utf8.count)")
            #expect((answer.headers[.contentType] == "text/html; charset=utf-8") == !text.isEmpty)
            #expect((answer.headers[.retryAfter] == nil) == (status != 503))
            let head = try await ask(path, .head)
            #expect(head.body.readableBytes == 0)
            if !text.isEmpty { #expect(head.headers == answer.headers) }
            let empty = try await ask(path, hasFailures: false)
            #expect(empty.status.code == status)
            #expect(empty.body.readableBytes == 0)
        }
    }

    @Test("an unknown key gets the same response as an unknown path")
    func unknown() async throws {
        try await store.publish(issuer.pass("E4"))
        let key = try await key("E4")
        let other = try await ask("/wallet/download/other/path")
        #expect(other.body.readableBytes > 0)
        #expect(other.status == .notFound)
        for path in [
            "/wallet/download/\(key)0", "/wallet/download/unknown", "/wallet/download/%FF",
            "/wallet/download/unknown/pass.pkpass", "/wallet/download/\(key)/pass",
            "/wallet/download/\(key)/", "/wallet/download/",
        ] {
            let answer = try await ask(path)
            #expect(answer.status == .notFound)
            #expect(answer.headers == other.headers)
            #expect(answer.body == other.body)
        }
        for suffix in ["", "/pass.pkpass"] {
            let answer = try await ask("/wallet/download/\(key)\(suffix)", hasPage: false)
            #expect(answer.status == .notFound)
        }
    }

    /// Expected: Python's email.message, which reads RFC 2231, and the field's grammar.
    @Test(
        "file names are safe for any serial number",
        arguments: [
            ("E4", "E4"), ("E 4", "E 4"), ("né", "né"), ("../../x", "..-..-x"), ("a\\b", "a-b"),
            ("a\"; filename=\"b", "a\"; filename=\"b"), ("a\r\nX: b", "a\r\nX: b"),
            ("50%41", "50%41"),
            ("日本", "日本"),
        ])
    func names(serial: String, expected: String) throws {
        let field = contentDisposition("\(serial).pkpass")
        #expect(field.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        let program = """
            import email.message, re, sys
            from urllib.parse import unquote
            field = sys.argv[1]
            grammar = r'attachment; filename="([^"\\\\\\\\]*)"; filename\\*=UTF-8\\'\\'([A-Za-z0-9._~%-]*)'
            plain, encoded = re.fullmatch(grammar, field).groups()
            sys.stdout.write(unquote(encoded))
            """
        let output = try run(["python3", "-c", program, field], input: [])
        #expect(String(streamSafe: output) == "\(expected).pkpass")
    }
}
