import Foundation
import PassModel
import PassStore
import PassUpdates
import Testing

@Suite("A pass names the URL of its newer versions")
struct WebServiceTests {
    private func service(
        _ url: Any?, token: Any? = "vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc",
        type: String = "pass.com.example", serial: String = "1"
    ) throws -> WebService? {
        var object: [String: Any] = ["passTypeIdentifier": type, "serialNumber": serial]
        object["webServiceURL"] = url
        object["authenticationToken"] = token
        let json = try JSONSerialization.data(withJSONObject: object)
        return WebService(try Pass(json: Array(json)))
    }

    // The second URL is that of a ticket seller. A wallet failed with it because it sent two
    // slashes.
    @Test(arguments: [
        ("https://example.com", "https://example.com/v1/passes/pass.com.example/1"),
        ("https://example.com/wallet/", "https://example.com/wallet/v1/passes/pass.com.example/1"),
        ("https://example.com/a/b", "https://example.com/a/b/v1/passes/pass.com.example/1"),
        ("https://example.com//", "https://example.com/v1/passes/pass.com.example/1"),
        ("https://example.com/v1/", "https://example.com/v1/v1/passes/pass.com.example/1"),
        (
            "https://example.com/a?tenant=7&x=%2F",
            "https://example.com/a/v1/passes/pass.com.example/1?tenant=7&x=%2F"
        ),
        ("https://example.com/a%20b/", "https://example.com/a%20b/v1/passes/pass.com.example/1"),
        (
            "https://ada:secret@example.com:8443/x#y",
            "https://example.com:8443/x/v1/passes/pass.com.example/1"
        ),
        ("HTTPS://Example.com/", "https://Example.com/v1/passes/pass.com.example/1"),
        ("http://[::1]:80/", "http://[::1]:80/v1/passes/pass.com.example/1"),
    ])
    func endpoint(base: String, url: String) throws {
        #expect(try service(base)?.url == url)
    }

    @Test(
        "whatever the serial number holds",
        arguments: [
            ("a/b", "a%2Fb"), ("a b", "a%20b"), ("100%", "100%25"), ("?x#y", "%3Fx%23y"),
            ("Zürich", "Z%C3%BCrich"), ("a:b@c+d", "a:b@c+d"), ("\n", "%0A"),
        ])
    func serial(serial: String, segment: String) throws {
        #expect(
            try service("https://example.com", serial: serial)?.url
                == "https://example.com/v1/passes/pass.com.example/\(segment)")
    }

    @Test(
        "a pass without a usable web service has none",
        arguments: [
            nil, "", "example.com", "ftp://example.com/", "https://", "file:///etc/passwd",
            "javascript:alert(1)", "https://example.com/\(String(repeating: "x", count: 16_384))",
        ])
    func none(base: String?) throws {
        #expect(try service(base) == nil)
    }

    @Test(
        "with a token that is valid in a header field",
        arguments: [
            ("short", true), ("a b", true), (String(repeating: "x", count: 4096), true),
            ("", false), (nil, false), ("a\r\nX-Evil: 1", false), (" a", false), ("a\t", false),
            ("schlüssel", false), ("a\u{0}", false), (String(repeating: "x", count: 4097), false),
        ])
    func token(token: String?, isUsed: Bool) throws {
        let service = try service("https://example.com", token: token)
        #expect(service?.token == (isUsed ? token : nil))
    }

    @Test(
        "hosts are compared independently of case and default port",
        arguments: [
            ("https://example.com/a", "example.com"), ("https://EXAMPLE.com:443/", "example.com"),
            ("https://example.com:8443", "example.com:8443"),
            ("http://example.com:80/", "example.com"),
        ])
    func host(base: String, host: String) throws {
        #expect(try service(base)?.host == host)
    }

    @Test("displayed URLs have no query")
    func place() throws {
        let service = try service("https://example.com/a?key=secret")
        #expect(service?.place == "https://example.com/a/v1/passes/pass.com.example/1")
    }
}
