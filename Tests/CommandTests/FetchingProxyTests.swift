import Foundation
import Loopback
import Testing

@Suite("Proxies are taken from the environment")
struct FetchingProxyTests {
    @Test(
        "For https through a tunnel, also from upper-case variables",
        arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy"])
    func tunnel(variable: String) async throws {
        let certificate = try ServerCertificate(names: ["tickets.example"])
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run(certificate: certificate) { server in
            server.serve("/1.pkpass", .pass(pass))
            // user:password
            let credentials = "Basic dXNlcjpwYXNzd29yZA=="
            try await LoopbackProxy.run(
                ports: ["tickets.example": server.port], credentials: credentials
            ) { proxy in
                let url = "http://user:password@127.0.0.1:\(proxy.port)"
                let home = try FetchingHome(environment: [variable: url])
                defer { home.remove() }
                let words = ["import", "https://tickets.example/1.pkpass"]
                let result = try home.program.run(words + (try FetchingHome.trust))
                #expect(result.status == 0, "\(result.errors)")
                #expect(try home.serials == ["0001"])
                // The first request is sent without the password, to learn how it is wanted.
                #expect(
                    proxy.inquiries.map(\.target)
                        == ["tickets.example:443", "tickets.example:443"])
                #expect(server.requests.allSatisfy { $0["Proxy-Authorization"] == nil })
            }
        }
    }

    @Test(
        "Over SOCKS 5, with names resolved by the proxy on request",
        arguments: [
            ("socks5h", "tickets.example", 443, "tickets.example:443"),
            ("socks5", "127.0.0.1", nil, "127.0.0.1"),
        ] as [(String, String, Int?, String)])
    func socks(scheme: String, host: String, port: Int?, target: String) async throws {
        let certificate = try ServerCertificate(names: ["tickets.example"])
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run(certificate: certificate) { server in
            server.serve("/1.pkpass", .pass(pass))
            try await LoopbackSOCKSProxy.run(ports: ["tickets.example": server.port]) { proxy in
                let url = "\(scheme)://127.0.0.1:\(proxy.port)"
                let home = try FetchingHome(environment: ["all_proxy": url])
                defer { home.remove() }
                let asked = port.map { "https://\(host):\($0)/1.pkpass" }
                let result = try home.imports(asked ?? server.url("/1.pkpass"))
                #expect(result.status == 0, "\(result.output) \(result.errors)")
                #expect(try home.serials == ["0001"])
                #expect(proxy.targets == [port == nil ? "\(target):\(server.port)" : target])
            }
        }
    }

    @Test(
        "A SOCKS proxy that resolves no names gets the address that was judged",
        .enabled(if: Mounts.arePossible, Mounts.reason))
    func pinned() async throws {
        let certificate = try ServerCertificate(names: ["tickets.example"])
        try await LoopbackServer.run(certificate: certificate) { server in
            server.serve("/1.pkpass", .pass(try FetchingHome.pass("0001")))
            // Outside of the networks that are refused; only the proxy gets it.
            let address = "93.184.215.14"
            try await LoopbackSOCKSProxy.run(ports: [address: server.port]) { proxy in
                let url = "socks5://127.0.0.1:\(proxy.port)"
                let home = try FetchingHome(environment: ["https_proxy": url])
                defer { home.remove() }
                let hosts = try home.home.write(
                    Data("\(address) tickets.example\n".utf8), to: "hosts")
                let options = try FetchingHome.trust.joined(separator: " ")
                let result = try home.program.shell(
                    """
                    unshare -m sh -ec 'mount --bind \(hosts.path) /etc/hosts
                    exec "$PROGRAM" import https://tickets.example/1.pkpass \(options)'
                    """)
                #expect(result.status == 0, "\(result.output) \(result.errors)")
                #expect(proxy.targets == ["\(address):443"])
            }
        }
    }

    @Test("Over a SOCKS proxy that reaches no host, and one that requires a password")
    func unreachable() async throws {
        try await LoopbackSOCKSProxy.run { proxy in
            for user in ["", "user:s3cret@"] {
                let url = "socks5h://\(user)127.0.0.1:\(proxy.port)"
                let home = try FetchingHome(environment: ["https_proxy": url])
                defer { home.remove() }
                let words = ["scan", "--json", "https://tickets.example/1.pkpass"]
                let result = try home.program.run(words)
                #expect(result.status == 2)
                #expect(result.problems.map(\.code) == ["fetch-proxy"], "\(result.output)")
                #expect(!result.output.contains("s3cret") && !result.errors.contains("s3cret"))
                #expect(proxy.targets.allSatisfy { $0 == "tickets.example:443" })
            }
        }
    }

    @Test("A wrong proxy password fails and is not printed")
    func refused() async throws {
        try await LoopbackProxy.run(credentials: "Basic x") { proxy in
            let url = "http://user:s3cret@127.0.0.1:\(proxy.port)"
            let home = try FetchingHome(environment: ["https_proxy": url])
            defer { home.remove() }
            let result = try home.program.run(
                ["import", "--json", "https://tickets.example/1.pkpass"])
            #expect(result.status == 2)
            #expect(result.problems.map(\.code) == ["fetch-proxy"], "\(result.output)")
            #expect(!result.output.contains("s3cret") && !result.errors.contains("s3cret"))
        }
    }

    @Test("HTTP_PROXY is ignored, since a CGI client can set it, and no_proxy is respected")
    func exceptions() async throws {
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            try await LoopbackProxy.run { proxy in
                for variables in [
                    ["HTTP_PROXY": proxy.url],
                    ["http_proxy": proxy.url, "no_proxy": "example.org, 127.0.0.1"],
                    ["http_proxy": proxy.url, "NO_PROXY": "*"],
                    ["https_proxy": proxy.url],
                ] {
                    let home = try FetchingHome(environment: variables)
                    defer { home.remove() }
                    let result = try home.imports(server.url("/1.pkpass"))
                    #expect(result.status == 0, "\(result.output)")
                    #expect(proxy.inquiries.isEmpty)
                }
                let home = try FetchingHome(environment: ["http_proxy": proxy.url])
                defer { home.remove() }
                let result = try home.imports(server.url("/1.pkpass"))
                #expect(result.status == 0, "\(result.output)")
                #expect(proxy.inquiries.count == 1)
            }
        }
    }
}
