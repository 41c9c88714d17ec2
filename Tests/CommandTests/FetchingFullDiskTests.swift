import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("If the disk is full, the passes are imported once there is space")
struct FetchingFullDiskTests {
    private let home: FetchingHome

    init() throws {
        home = try FetchingHome()
    }

    /// Runs `import` for this URL with no space in these folders. Uses `/mnt` in place of the home,
    /// which may be inside one of them.
    private func importFull(_ url: String, _ full: [String]) throws -> Program.Result {
        var program = home.program
        program.environment["PROGRAM"] = program.path
        let mounts = full.map { "mount -t tmpfs -o size=1m none \($0)" }.joined(separator: "; ")
        return try program.shell(
            """
            authority="$SSL_CERT_FILE"; cat "$authority" > authority.pem
            cat '\(FetchingHome.issuer.get().authority)' > root.pem
            unshare -m sh -ec '
                mount -t tmpfs none /mnt; mkdir /mnt/home /mnt/programs
                mount --bind "$HOME" /mnt/home; mount --bind "$(dirname "$PROGRAM")" /mnt/programs
                cd /mnt/home; mkdir -p library/downloads; chmod 700 library library/downloads
                \(mounts)
                export SSL_CERT_FILE=/mnt/home/authority.pem
                exec /mnt/programs/passconduit import --library /mnt/home/library --json \\
                    --allow-private --allow-http --trust-root root.pem \(url)
                '
            """)
    }

    private func resume() throws -> Program.Result {
        try home.program.run(
            ["downloads", "resume", "--json", "--library", home.home.path("library")])
    }

    @Test(
        "The attachments of a mailbox", .enabled(if: Mounts.arePossible, Mounts.reason))
    func spool() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001") { $0.picture = 3_000_000 }
        let mailbox = try home.mailbox("a.mbox", [pass])
        try await LoopbackServer.run { server in
            server.serve("/a.mbox", .bytes(mailbox))
            let full = try importFull(server.url("/a.mbox"), ["/tmp", "/var/tmp"])
            #expect(full.status == 2, "\(full.output) \(full.errors)")
            #expect(full.errors.contains("no space left on device"))
            #expect(full.passes.isEmpty)
            // The link works only once.
            server.serve("/a.mbox", .status(404))
            let result = try resume()
            #expect(result.status == 0, "\(result.output) \(result.errors)")
            #expect(result.pass?["import"] as? String == "added")
        }
    }

    @Test(
        "The body itself", .enabled(if: Mounts.arePossible, Mounts.reason))
    func downloads() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001") { $0.picture = 3_000_000 }
        try await LoopbackServer.run { server in
            server.serve("/a.pkpass", .pass(pass))
            let full = try importFull(server.url("/a.pkpass"), ["library/downloads"])
            #expect(full.status == 2, "\(full.output) \(full.errors)")
            #expect(full.problems.map(\.code).last == "fetch-file")
            let result = try resume()
            #expect(result.status == 0, "\(result.output) \(result.errors)")
            #expect(result.pass?["import"] as? String == "added")
        }
    }
}
