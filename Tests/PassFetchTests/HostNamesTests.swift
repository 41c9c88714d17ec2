import Fetching
import Foundation
import Loopback
import Testing

@testable import PassFetch

@Suite("Host names are resolved as in other programs")
struct HostNamesTests {
    @Test(
        "a name from the file of hosts",
        .enabled(if: HostsFile.loopback != nil, HostsFile.reason))
    func hostsFile() async throws {
        let (address, name) = try #require(HostsFile.loopback)
        try await LoopbackServer.run(on: address) { server in
            server.serve("/", .bytes("x".utf8))
            let program = try FetchProgram()
            #expect(try program.fetch("http://\(name):\(server.port)/").size == 1)
        }
    }

    @Test("the name of a proxy is diagnosed as that of a server")
    func proxy() throws {
        let direct = try FetchProgram().fetch("http://proxy.invalid/").failure
        var configuration = FetchProgram.configuration
        configuration.proxies = ["http_proxy": "http://proxy.invalid:3128"]
        let proxied = try FetchProgram(configuration).fetch("http://passes.example/").failure
        // With or without a network.
        let reasons: [FetchFailureReason] = [
            .unknownHost("proxy.invalid"), .resolverBusy(host: "proxy.invalid"),
        ]
        let reason = try #require(direct?.reason)
        #expect(reasons.contains(reason))
        #expect(proxied?.reason == reason)
        #expect(proxied?.isTransient == direct?.isTransient)
    }

    @Test("a lookup that fails once and then succeeds is worth another attempt")
    func secondLookup() {
        let failure = FetchFailure(unresolved: "passes.example", nil)
        #expect(failure.reason == .resolverBusy(host: "passes.example"))
        #expect(failure.isTransient)
    }
}
