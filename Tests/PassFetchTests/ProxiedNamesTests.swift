import Fetching
import Foundation
import Synchronization
import Testing

@testable import PassFetch

@Suite("A proxy is not asked to resolve names in a private network")
struct ProxiedNamesTests {
    private final class Count: Sendable {
        let value = Mutex(0)
    }

    /// The error for a host with these addresses in DNS, and the number of lookups.
    private func check(
        _ host: String, _ addresses: [String]?, proxy: String = "http://proxy.example:3128",
        allowsPrivateAddresses: Bool = false
    ) async throws -> (failure: FetchFailure?, lookUps: Int) {
        let known = try addresses?.map { try #require(HostAddress(numeric: $0)) }
        let count = Count()
        let resolver = Resolver(limit: .seconds(30)) { _ in
            count.value.withLock { $0 += 1 }
            return known.map { .success($0) } ?? .failure(LookUpError(code: -2))
        }
        let names = ProxiedNames(resolver)
        let target = try Target("https://\(host)/", allowsHTTP: false)
        let policy = AddressPolicy(allowsPrivateAddresses: allowsPrivateAddresses)
        var failure: FetchFailure?
        for _ in 0..<2 {
            do throws(FetchFailure) {
                try await names.check(target, policy, by: Proxy(proxy))
            } catch {
                failure = error
            }
        }
        return (failure, count.value.withLock(\.self))
    }

    @Test(
        "names with a private suffix are refused",
        arguments: [
            "router", "printer.lan", "nas.home", "wiki.corp", "wiki.intranet", "db.private",
            "fritz.box", "my.fritz.box", "metadata.google.internal", "a.local", "a.home.arpa",
            "localhost.localdomain", "WIKI.CORP.",
        ])
    func endings(host: String) async throws {
        let (failure, lookUps) = try await check(host, ["93.184.215.14"])
        guard case .privateName = failure?.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(lookUps == 0)
        #expect(try await check(host, nil, allowsPrivateAddresses: true).failure == nil)
    }

    @Test(
        "names with a private address in the local DNS are refused",
        arguments: [
            (["10.0.0.1"], false), (["10.0.0.1", "fd00::1"], false), (["127.0.0.1"], false),
            (["10.0.0.1", "93.184.215.14"], false),
            (["93.184.215.14", "fd00::1"], false), (["93.184.215.14"], true), ([], true),
            (nil, true),
        ] as [([String]?, Bool)])
    func addresses(addresses: [String]?, isTaken: Bool) async throws {
        for host in ["wiki.example.com", "lan.example.com", "box.example", "homes.example"] {
            let (failure, lookUps) = try await check(host, addresses)
            #expect(failure?.code == (isTaken ? nil : .address))
            // An unknown name is not looked up again immediately.
            #expect(lookUps == 1)
        }
    }

    @Test("with a socks5h: proxy there is no local lookup")
    func leftToProxy() async throws {
        let proxy = "socks5h://127.0.0.1:9050"
        let (failure, lookUps) = try await check("wiki.example.com", ["10.0.0.1"], proxy: proxy)
        #expect(failure == nil)
        #expect(lookUps == 0)
        #expect(try await check("wiki.lan", nil, proxy: proxy).failure?.code == .address)
    }

    @Test("a resolver that does not respond causes no delay", .timeLimit(.minutes(1)))
    func slow() async throws {
        let ends = Count()
        let resolver = Resolver(limit: .milliseconds(50)) { _ in
            while ends.value.withLock({ $0 == 0 }) { Thread.sleep(forTimeInterval: 0.01) }
            return .success([])
        }
        defer { ends.value.withLock { $0 = 1 } }
        let names = ProxiedNames(resolver)
        let target = try Target("https://wiki.example.com/", allowsHTTP: false)
        try await names.check(
            target, AddressPolicy(allowsPrivateAddresses: false),
            by: Proxy("http://proxy.example:3128"))
    }
}
