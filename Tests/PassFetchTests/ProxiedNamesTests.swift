import Fetching
import Testing

@testable import PassFetch

@Suite("A proxy is not asked to resolve names in a private network")
struct ProxiedNamesTests {
    /// The decision on a host, before and after its name was looked up with this result.
    private func decisions(
        _ host: String, _ addresses: [String], proxy: String = "http://proxy.example:3128",
        allowsPrivateAddresses: Bool = false
    ) throws -> (ProxiedNames.Decision, ProxiedNames.Decision) {
        let names = ProxiedNames()
        let target = try Target("https://\(host)/", allowsHTTP: false)
        let route = Route(
            target: target, proxy: try Proxy(proxy),
            policy: AddressPolicy(allowsPrivateAddresses: allowsPrivateAddresses))
        let before = names.decision(route)
        let known = try addresses.map { try #require(HostAddress(numeric: $0)) }
        names.note(known, of: target.origin.host)
        return (before, names.decision(route))
    }

    @Test(
        "names with a private suffix are refused without a lookup",
        arguments: [
            "router", "printer.lan", "nas.home", "wiki.corp", "wiki.intranet", "db.private",
            "fritz.box", "my.fritz.box", "metadata.google.internal", "a.local", "a.home.arpa",
            "localhost.localdomain", "WIKI.CORP.",
        ])
    func endings(host: String) throws {
        let (decision, _) = try decisions(host, ["93.184.215.14"])
        guard case .refused(let failure) = decision, case .privateName = failure.reason else {
            Issue.record("\(decision)")
            return
        }
        #expect(try decisions(host, [], allowsPrivateAddresses: true).0 == .permitted([]))
    }

    @Test(
        "names with a private address in the local DNS are refused",
        arguments: [
            (["10.0.0.1"], false), (["10.0.0.1", "fd00::1"], false), (["127.0.0.1"], false),
            (["10.0.0.1", "93.184.215.14"], false),
            (["93.184.215.14", "fd00::1"], false), (["93.184.215.14"], true), ([], true),
        ])
    func addresses(addresses: [String], isTaken: Bool) throws {
        for host in ["wiki.example.com", "lan.example.com", "box.example", "homes.example"] {
            let (before, after) = try decisions(host, addresses)
            #expect(before == .unknown)
            if isTaken {
                #expect(after == .permitted([]))
            } else if case .refused(let failure) = after {
                #expect(failure.code == .address)
            } else {
                Issue.record("\(after)")
            }
        }
    }

    @Test("an address is judged without a lookup")
    func address() throws {
        #expect(try decisions("93.184.215.14", []).0 == .permitted([]))
        guard case .refused(let failure) = try decisions("10.1", []).0 else {
            Issue.record("10.0.0.1 is permitted")
            return
        }
        #expect(failure.code == .address)
    }

    @Test("with a socks5h: proxy there is no local lookup")
    func leftToProxy() throws {
        let proxy = "socks5h://127.0.0.1:9050"
        #expect(
            try decisions("wiki.example.com", ["10.0.0.1"], proxy: proxy).0 == .permitted([]))
        guard case .refused(let failure) = try decisions("wiki.lan", [], proxy: proxy).0 else {
            Issue.record("wiki.lan is permitted")
            return
        }
        #expect(failure.code == .address)
    }

    @Test("a socks5: proxy gets the addresses that were judged")
    func pinned() throws {
        let (before, after) = try decisions(
            "pass.example.com", ["93.184.215.14"], proxy: "socks5://127.0.0.1:9050")
        #expect(before == .unknown)
        #expect(after == .permitted([try #require(HostAddress(numeric: "93.184.215.14"))]))
    }

    @Test(
        "a proxy that gets addresses gets no name that was not found",
        arguments: ["socks4", "socks5"])
    func unresolved(scheme: String) throws {
        let (_, after) = try decisions(
            "pass.example.com", [], proxy: "\(scheme)://127.0.0.1:9050")
        #expect(after == .unknown)
    }
}
