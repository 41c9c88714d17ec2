import Fetching
import Loopback
import PassFixtures
import Testing

@Suite("The proxy of the environment is used")
struct ProxyTests {
    @Test("https through a tunnel, and http by forwarding")
    func tunnels() async throws {
        let certificate = try ServerCertificate(.good, names: ["passes.example"])
        try await LoopbackServer.run(certificate: certificate) { secure in
            try await LoopbackServer.run { plain in
                let ports = ["passes.example": secure.port, "plain.example": plain.port]
                try await LoopbackProxy.run(ports: ports) { proxy in
                    secure.serve("/", .bytes("secure".utf8))
                    plain.serve("/", .bytes("plain".utf8))
                    var configuration = FetchProgram.configuration
                    configuration.authorities = try ServerAuthority.path
                    configuration.proxies = ["all_proxy": proxy.url]
                    let program = try FetchProgram(configuration)
                    for (url, size) in [
                        ("https://passes.example/", 6), ("http://plain.example/", 5),
                    ] {
                        let outcome = try program.fetch(url) {
                            $0.terms.allowsPrivateAddresses = false
                        }
                        #expect(outcome.size == size)
                    }
                    #expect(proxy.inquiries.map(\.method) == ["CONNECT", "GET"])
                    #expect(
                        proxy.inquiries.map(\.target) == [
                            "passes.example:443", "http://plain.example/",
                        ])
                }
            }
        }
    }

    @Test("with a user name and password if required, which no message contains")
    func credentials() async throws {
        try await LoopbackServer.run { server in
            // `printf 'u:p@' | base64`
            let value = "Basic dTpwQA=="
            let ports = ["plain.example": server.port]
            try await LoopbackProxy.run(ports: ports, credentials: value) { proxy in
                server.serve("/", .bytes("x".utf8))
                var configuration = FetchProgram.configuration
                configuration.proxies = ["http_proxy": "http://u:p%40@127.0.0.1:\(proxy.port)"]
                let program = try FetchProgram(configuration)
                #expect(try program.fetch("http://plain.example/").size == 1)
                configuration.proxies = ["http_proxy": "http://u:wrong@127.0.0.1:\(proxy.port)"]
                let failure = try FetchProgram(configuration).fetch("http://plain.example/").failure
                #expect(failure?.code == .proxy)
                #expect(!"\(failure, default: "")".contains("wrong"))
                #expect(server.requests.count == 1)
                #expect(server.requests.first?["Proxy-Authorization"] == nil)
            }
        }
    }

    @Test("over TLS, if its certificate is valid")
    func secureProxy() async throws {
        try await LoopbackServer.run(certificate: ServerCertificate()) { proxy in
            proxy.serve(under: "") { _ in .bytes("x".utf8) }
            var configuration = FetchProgram.configuration
            configuration.proxies = ["all_proxy": "https://127.0.0.1:\(proxy.port)"]
            let name = "127.0.0.1:\(proxy.port)"
            for url in ["http://plain.example/", "https://passes.example/"] {
                let untrusted = try FetchProgram(configuration).fetch(url).failure
                #expect(untrusted?.reason == .certificate(host: name, .untrusted))
            }
            #expect(proxy.requests.isEmpty)
            configuration.authorities = try ServerAuthority.path
            let program = try FetchProgram(configuration)
            #expect(try program.fetch("http://plain.example/").size == 1)
        }
    }

    @Test("a server that claims to be a proxy gets no answer")
    func serverAsksForCredentials() async throws {
        let certificate = try ServerCertificate(.good, names: ["passes.example"])
        try await LoopbackServer.run(certificate: certificate) { server in
            var answer = Answer.status(407)
            answer.fields.append(("Proxy-Authenticate", "Basic realm=\"x\""))
            server.serve("/", answer)
            try await LoopbackProxy.run(ports: ["passes.example": server.port]) { proxy in
                var configuration = FetchProgram.configuration
                configuration.authorities = try ServerAuthority.path
                configuration.proxies = ["https_proxy": "http://u:p@127.0.0.1:\(proxy.port)"]
                let failure = try FetchProgram(configuration).fetch("https://passes.example/")
                    .failure
                #expect(failure?.reason == .status(host: "passes.example", code: 407))
                #expect(server.requests.allSatisfy { $0["Proxy-Authorization"] == nil })
            }
        }
    }

    @Test("but not for excepted servers")
    func exceptions() async throws {
        try await LoopbackServer.run { server in
            try await LoopbackProxy.run { proxy in
                server.serve("/", .bytes("x".utf8))
                var configuration = FetchProgram.configuration
                configuration.proxies = ["http_proxy": proxy.url, "no_proxy": "127.0.0.0/8"]
                let program = try FetchProgram(configuration)
                #expect(try program.fetch(server.url("/")).size == 1)
                #expect(proxy.inquiries.isEmpty)
            }
        }
    }

    @Test("a missing or refusing proxy is named in the error")
    func failures() async throws {
        try await LoopbackProxy.run { proxy in
            var configuration = FetchProgram.configuration
            configuration.proxies = ["http_proxy": proxy.url]
            // For http, the status of the proxy looks like one of the server.
            let forwarded = try FetchProgram(configuration).fetch("http://unknown.example/").failure
            #expect(forwarded?.reason == .status(host: "unknown.example", code: 502))
            configuration.proxies = ["https_proxy": proxy.url]
            let refused = try FetchProgram(configuration).fetch("https://unknown.example/").failure
            #expect(refused?.code == .proxy)
            #expect(refused?.reason == .proxyRefused(proxy: "127.0.0.1:\(proxy.port)"))
            configuration.proxies = ["http_proxy": "127.0.0.1:1"]
            let missing = try FetchProgram(configuration).fetch("http://unknown.example/").failure
            #expect(missing?.code == .proxy)
            #expect(missing?.isTransient == true)
            #expect(missing?.reason == .refused(.proxy("127.0.0.1:1")))
        }
    }
}
