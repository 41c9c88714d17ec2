import Foundation
import PassFixtures
import PassService
import Testing

/// Expected: Apple's "Establishing a token-based connection to APNs".
@Suite("A provider token is signed with the key of the team, and lasts less than an hour")
struct ProviderTokenTests {
    private let noon = Date(timeIntervalSince1970: 1_790_000_000)
    private let key: URL
    private let token: ProviderToken

    init() throws {
        key = try PushSite.tokenKey()
        token = try ProviderToken(
            key: key.path, identifier: PushSite.keyIdentifier, team: PushSite.team)
    }

    /// The time of issue of a token that Python's cryptography verifies.
    static func issued(_ authorization: String, _ key: URL) throws -> Int {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "provider_token.py").path
        let output = try run(
            ["/usr/bin/python3", "-B", script, key.path, PushSite.keyIdentifier, PushSite.team],
            input: Array(authorization.utf8))
        return try #require(Int(String(decoding: output.dropLast(), as: UTF8.self)))
    }

    @Test("Python verifies it")
    func verified() throws {
        let text = try #require(token.current(at: noon))
        #expect(try Self.issued("bearer \(text)", key) == 1_790_000_000)
    }

    @Test(
        "it is replaced at a certain age, and after the clock was set back",
        arguments: [
            (0, true), (1, true), (1200, true), (2399, true), (2400, false), (3600, false),
            (86_400, false), (-1, false), (-86_400, false),
        ] as [(Double, Bool)])
    func ages(seconds: Double, isSame: Bool) throws {
        let first = try #require(token.current(at: noon))
        let second = try #require(token.current(at: noon + seconds))
        #expect((first == second) == isSame)
    }

    @Test("an expired token is replaced at once, but only once in 20 minutes")
    func expired() throws {
        let first = try #require(token.current(at: noon))
        let second = try #require(token.replacement(for: first, at: noon + 1))
        #expect(second != first)
        // Requests that used the first token get the second one as well.
        #expect(token.replacement(for: first, at: noon + 2) == second)
        #expect(token.current(at: noon + 3) == second)
        #expect(token.replacement(for: second, at: noon + 60) == nil)
        let third = try #require(token.replacement(for: second, at: noon + 1201))
        #expect(third != second)
    }
}
