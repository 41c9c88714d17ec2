import Foundation
import Loopback
import PassFixtures
import Testing

@Suite(
    "a pass gets from its source into the library through windows alone",
    .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"))
final class ViewerPathTests {
    private let home: Home
    private let screen: Display
    private let passes: TestPasses

    init() throws {
        home = try Home()
        screen = try Display(home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    private var program: Program { screen.program("passconduit") }

    private var listed: [[String: Any]] {
        get throws { try program.run(["list", "--json"]).records }
    }

    @Test("from the command, with Add, into the list", .enabled(if: RealPasses.areHere))
    func real() throws {
        let opened = try Started(
            program, ["open", RealPasses.folder + "/f20ce19c__BoardingPass.pkpass"])
        try screen.shows("label: Trusted", "push button: Add")
        try screen.keys("Return")
        #expect(try opened.finish().status == 0)
        let pass = try #require(try listed.first?["pass"] as? [String: Any])
        #expect(pass["serialNumber"] as? String == "gT6zrHkaW")
        let library = try screen.view([])
        try screen.shows("list item: Skyport Airways, SFO -> JFK")
        try screen.keys("Down", "Down")
        try screen.shows("label: Trusted", "History (1)")
        try screen.keys("ctrl+q")
        #expect(try library.finish().status == 0)
    }

    @Test("from an https URL")
    func url() async throws {
        let issuer = try FetchingHome.issuer.get()
        let pass = try FetchingHome.pass("0007")
        let authority = try ServerAuthority.path
        try await LoopbackServer.run(certificate: try ServerCertificate()) { server in
            server.serve("/ticket.pkpass", .pass(pass))
            var program = program
            program.environment["SSL_CERT_FILE"] = authority
            let opened = try Started(
                program,
                [
                    "open", server.url("/ticket.pkpass"), "--allow-private", "--trust-root",
                    issuer.authority,
                ])
            try screen.shows("label: Trusted", "push button: Add", server.url("/ticket.pkpass"))
            try screen.keys("Return")
            let result = try opened.finish()
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors == "")
        }
        let pass2 = try #require(try listed.first?["pass"] as? [String: Any])
        #expect(pass2["serialNumber"] as? String == "0007")
    }

    @Test("from several files at once, all trusted ones with one button")
    func addAll() throws {
        let files = try ["0001", "0002", "0003"].map { serial in
            try home.write(FetchingHome.pass(serial), to: "\(serial).pkpass").path
        }
        let viewer = try screen.view(
            try FetchingHome.trust + files + [passes.path("unsigned.pkpass")])
        try screen.shows("label: 1 of 4", "push button: Add All")
        try screen.press("Add All")
        try screen.shows("label: 4 of 4", "label: Not signed: anyone")
        #expect(try listed.count == 3)
        try screen.keys("Escape")
        #expect(try viewer.finish().status == 3)
        #expect(try listed.count == 3)
    }

    @Test("when another program releases the library; the window shows that it waits")
    func locked() throws {
        _ = try program.run(["import"] + FetchingHome.trust + [passes.path("unsigned.pkpass")])
        let lock = try Process.holdingLock(of: home.library, in: home)
        let viewer = try screen.view(passes.trust + [passes.path("trusted.pkpass")])
        try screen.shows("label: Trusted", "push button: Add")
        try screen.keys("Return")
        try screen.shows("label: Adding\u{2026}")
        // No key or button closes the window while an import is pending.
        try screen.keys("Escape")
        try screen.shows("label: Adding\u{2026}")
        lock.terminate()
        lock.waitUntilExit()
        #expect(try viewer.finish().status == 0)
        #expect(try listed.count == 1)
    }

    @Test(
        "not at all if the disk is full", .enabled(if: Mounts.arePossible, Mounts.reason))
    func fullDisk() throws {
        let large = try FetchingHome.pass("0001") { $0.picture = 6_000_000 }
        try home.write(large, to: "large.pkpass")
        try FileManager.default.createDirectory(
            atPath: home.path("disk"), withIntermediateDirectories: true)
        let words =
            Mounts.prefix(mounting: home.path("disk")) + [
                Program.folder.appendingPathComponent("passconduit-viewer").path, "--library",
                home.path("disk/library"), home.path("large.pkpass"),
            ] + (try FetchingHome.trust)
        let viewer = try Started(
            screen.program("/usr/bin/env"), words)
        try screen.shows("label: Trusted", "push button: Add")
        try screen.keys("Return")
        try screen.shows("no space left on device", "push button: Add")
        // The full disk contains an index, but no file of a pass, not even a partial one.
        let root = "/proc/\(viewer.process.processIdentifier)/root"
        let left = try screen.program("/bin/sh").run([
            "-c", "find '\(root)\(home.path("disk/library"))' -type f -size +1000k",
        ])
        #expect(left.output == "")
        let list = try screen.program("/usr/bin/nsenter").run([
            "-t", "\(viewer.process.processIdentifier)", "-m", program.path, "list", "--library",
            home.path("disk/library"),
        ])
        #expect(list.output == "")
        try screen.keys("Escape")
        #expect(try viewer.finish().status == 0)
    }

    @Test("with every kind of picture", arguments: ["broken", "huge", "missing", "endless"])
    func pictures(kind: String) throws {
        let made = try program.shell("python3 -c '\(pictured)' \(kind)")
        try #require(made.status == 0, "\(made.errors)")
        let viewer = try screen.view([home.path("pictured.pkpass")])
        try screen.shows("Not signed: anyone could", "image: Pictured", "push button: Add\u{2026}")
        try screen.press("Add\u{2026}")
        try screen.press("Add Anyway")
        let result = try viewer.finish()
        #expect(result.status == 0)
        #expect(result.errors == "")
        let library = try screen.view([])
        try screen.shows("list item: ")
        try screen.keys("Down", "Down")
        try screen.shows("History (1)", "image: Pictured")
        try screen.keys("ctrl+q")
        #expect(try library.finish().errors == "")
    }

    private let pictured = #"""
        import json, struct, sys, zipfile, zlib
        def png(width, height, lines):
            chunk = lambda name, data: (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))
            packer = zlib.compressobj(9)
            line = b"\0" + bytes((width + 7) // 8)
            data = b"".join(packer.compress(line) for _ in range(lines)) + packer.flush()
            return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1,
                0, 0, 0, 0)) + chunk(b"IDAT", data) + chunk(b"IEND", b""))
        picture = {"broken": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 50,
            "huge": png(30000, 30000, 30000), "endless": png(2000, 2000, 3), "missing": None}[sys.argv[1]]
        with zipfile.ZipFile("pictured.pkpass", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("pass.json", json.dumps(dict(formatVersion=1,
                passTypeIdentifier="pass.example.test", serialNumber="1", teamIdentifier="T",
                organizationName="Pictured", description="Pictured", logoText="Pictured",
                eventTicket=dict(primaryFields=[dict(key="a", label="Who", value="Ada")]))))
            archive.writestr("manifest.json", "{}")
            for name in "icon", "logo", "strip", "background", "thumbnail":
                for scale in "", "@2x", "@3x":
                    if picture: archive.writestr(name + scale + ".png", picture)
        """#
}

extension Process {
    /// A process that locks the library until it is terminated.
    fileprivate static func holdingLock(of library: URL, in home: Home) throws -> Process {
        let taken = try home.write(Data(), to: "taken")
        let process = try Program("/usr/bin/python3", home: home).start(
            [
                "-c",
                """
                import fcntl, os, signal, sys
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                lock = open(sys.argv[1], "r+b")
                # F_OFD_SETLK of a struct flock: all of the file, for writing.
                import struct
                fcntl.fcntl(lock, 37, struct.pack("hhqqi4x", 1, 0, 0, 0, 0))
                print("taken", flush=True)
                signal.pause()
                """,
                library.appendingPathComponent("lock").path,
            ], output: try FileHandle(forWritingTo: taken))
        for _ in 0..<600 where try Data(contentsOf: taken).isEmpty {
            Thread.sleep(forTimeInterval: 0.05)
        }
        return process
    }
}
