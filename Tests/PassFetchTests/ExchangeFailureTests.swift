import CCurl
import Fetching
import Testing

@testable import PassFetch

@Suite("An error of libcurl is reported with the host at which it occurred")
struct ExchangeFailureTests {
    private static let server = FetchPeer.server("passes.example")
    private static let proxy = FetchPeer.proxy("proxy.example:3128")

    private func reason(
        _ result: CurlResult, proxy: String? = nil
    ) throws -> FetchFailureReason {
        let route = Route(
            target: try Target("https://passes.example/", allowsHTTP: false),
            proxy: try proxy.map { try Proxy($0) },
            policy: AddressPolicy(allowsPrivateAddresses: false))
        return FetchFailure(result, route, FetchConfiguration()).reason
    }

    @Test(
        "the proxy before it opened a tunnel, and then the server",
        arguments: [(0, proxy), (200, server)] as [(Int, FetchPeer)])
    func tunnel(status: Int, peer: FetchPeer) throws {
        for code in [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING] {
            let result = CurlResult(code: code, tunnelStatus: status)
            #expect(try reason(result, proxy: "http://proxy.example:3128") == .closed(peer))
        }
    }

    @Test("a stream of HTTP/2 that a server ends may succeed later")
    func stream() throws {
        for code in [CURLE_HTTP2, CURLE_HTTP2_STREAM] {
            #expect(try reason(CurlResult(code: code)) == .closed(ExchangeFailureTests.server))
        }
    }

    /// Expected: the reasons of OpenSSL 3.0.
    @Test(
        "an error of TLS by OpenSSL's words",
        arguments: [
            ("error:0A00042E:SSL routines::tlsv1 alert protocol version", "oldTLS"),
            ("error:0A000458:SSL routines::tlsv1 unrecognized name", "unrecognizedName"),
            ("error:0A000410:SSL routines::sslv3 alert handshake failure", "noCommonCipher"),
            ("error:0A00010B:SSL routines::wrong version number", "noTLS"),
            ("error:0A000412:SSL routines::sslv3 alert bad certificate", "clientCertificateWanted"),
        ])
    func tls(words: String, expected: String) throws {
        let host = "passes.example"
        let reasons: [String: FetchFailureReason] = [
            "oldTLS": .oldTLS(host: host), "unrecognizedName": .unrecognizedName(host: host),
            "noCommonCipher": .noCommonCipher(host: host), "noTLS": .noTLS(host: host),
            "clientCertificateWanted": .clientCertificateWanted(host: host),
        ]
        #expect(
            try reason(CurlResult(code: CURLE_SSL_CONNECT_ERROR, words: words)) == reasons[expected]
        )
    }
}
