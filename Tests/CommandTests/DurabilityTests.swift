import Foundation
import PassFixtures
import Testing

@Suite(
    "Everything reported as done has been synced to disk",
    .enabled(if: TracedCalls.canTrace, "strace cannot trace here"))
final class DurabilityTests {
    private let home: Home
    private let passes: TestPasses

    init() throws {
        home = try Home(named: "durability")
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    private var trust: String { passes.trust.joined(separator: " ") }

    @Test("an import syncs the files, their folders and the index before it reports success")
    func imported() throws {
        let calls = try TracedCalls(
            Program(home: home),
            "import \(trust) --library made/library \(passes.path("trusted.pkpass"))")
        let named = try #require(calls.last { $0.renames("library/temporary/", to: ".pkpass") })
        #expect(calls.isSynced(named.source, in: 0..<named.place))
        let report = try #require(calls.first { $0.name == "write" && $0.file == 1 })
        let commit = try #require(
            calls.first {
                $0.place > named.place && $0.syncs && $0.path.hasSuffix("/library.sqlite-wal")
            })
        #expect(commit.place < report.place)
        #expect(calls.unsyncedNames(before: commit.place, leavingOut: ["temporary", "lock"]) == [])
    }

    @Test("a removal deletes the pass from the index before its file")
    func removed() throws {
        let program = Program(home: home)
        let options = passes.trust + ["--library", "library"]
        let path = passes.path("trusted.pkpass")
        #expect(try program.run(["import"] + options + [path]).status == 0)
        let calls = try TracedCalls(program, "remove --library library 0001")
        let file = try #require(calls.first { $0.name == "unlink" && $0.path.hasSuffix(".pkpass") })
        let index = calls.filter { $0.path.hasSuffix("/library.sqlite-wal") }
        let written = try #require(index.last { $0.name == "pwrite64" })
        #expect(written.place < file.place)
        #expect(index.contains { $0.syncs && (written.place..<file.place).contains($0.place) })
    }

    @Test("a certificate is never in the trust folder without its pass types")
    func limitedAuthority() throws {
        let program = Program(home: home)
        let authority = passes.path("authority.pem")
        let added = try TracedCalls(program, "trust add \(authority) --for pass.example.test")
        let types = try #require(added.first { $0.renames("/trust/", to: ".pem.for") })
        let certificate = try #require(
            added.first { $0.renames("/trust/", to: ".pem") && $0.path.hasSuffix(".pem") })
        #expect(types.place < certificate.place)
        #expect(added.unsyncedNames(before: added.count, leavingOut: ["lock"]) == [])

        let name = URL(fileURLWithPath: certificate.path).lastPathComponent
        let removed = try TracedCalls(program, "trust remove \(name)")
        let unlinked = removed.filter { $0.name.hasPrefix("unlink") && $0.path.contains("/trust/") }
        #expect(unlinked.map { $0.path.hasSuffix(".for") } == [false, true])
    }

    @Test("a spooled message and the folders of the spool are synced")
    func spooled() throws {
        let mail = try passes.data("trusted.pkpass").base64EncodedString(
            options: .lineLength76Characters)
        let header = "From: a@example.org\nContent-Type: application/vnd.apple.pkpass\n"
        let encoding = "Content-Transfer-Encoding: base64\n\n"
        try home.write(Data((header + encoding + mail + "\n").utf8), to: "mail")
        let program = Program("passconduit-deliver", home: home)
        let words = "\(trust) --spool=made/spool --library=/proc/library"
        let calls = try TracedCalls(program, "\(words) < mail")
        let named = try #require(calls.last { $0.renames("spool/tmp/", to: "spool/new/") })
        #expect(calls.isSynced(named.source, in: 0..<named.place))
        #expect(calls.unsyncedNames(before: calls.count, leavingOut: ["lock"]) == [])

        // It fails again, and moves to the end of the queue.
        let retry = try TracedCalls(program, "\(words) < /dev/null")
        #expect(retry.last { $0.renames("spool/new/", to: "spool/new/") } != nil)
        #expect(retry.unsyncedNames(before: retry.count, leavingOut: ["lock"]) == [])
    }

    @Test(
        "an authority and an exported file are synced before and after they are renamed",
        arguments: [
            ("trust add authority.pem", ".pem"),
            ("export --library library 0001 -o new.pkpass", "/new.pkpass"),
            ("export --library library 0001 -o old.pkpass --force", "/old.pkpass"),
        ])
    func written(words: String, name: String) throws {
        let program = Program(home: home)
        let options = passes.trust + ["--library", "library"]
        let imported = try program.run(["import"] + options + [passes.path("trusted.pkpass")])
        #expect(imported.status == 0)
        try home.write(Data(), to: "old.pkpass")
        let authority = try Data(contentsOf: URL(fileURLWithPath: passes.trust[1]))
        try home.write(authority, to: "authority.pem")
        let calls = try TracedCalls(program, words)
        let named = try #require(calls.last { $0.renames(".part", to: name) })
        #expect(calls.isSynced(named.source, in: 0..<named.place))
        #expect(calls.isSynced(named.folder, in: named.place..<calls.count))
        #expect(calls.unsyncedNames(before: calls.count, leavingOut: []) == [])
    }

    @Test("setup syncs a file before and after it renames it")
    func setUp() throws {
        let desktop = try Desktop()
        defer { desktop.remove() }
        let calls = try TracedCalls(desktop.program, "setup --mailcap")
        let named = calls.filter { $0.renames(".passconduit", to: "") }
        #expect(named.count > 1)
        for call in named {
            #expect(calls.isSynced(call.source, in: 0..<call.place), "\(call.source)")
            #expect(
                calls.isSynced(call.folder, in: call.place..<calls.count), "\(call.path)")
        }
    }
}
