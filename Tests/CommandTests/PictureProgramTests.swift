import Foundation
import Testing

@Suite("A separate process without rights decodes the images that windows show")
final class PictureProgramTests {
    private let home: Home

    init() throws { home = try Home() }

    deinit { home.remove() }

    /// Makes passes, has them decoded one after the other, and prints the results.
    private static let script = #"""
        import io, json, struct, subprocess, sys, zipfile, zlib
        def chunk(kind, octets):
            return struct.pack(">I", len(octets)) + kind + octets + struct.pack(">I", zlib.crc32(kind + octets))
        def png(width, height, rows, depth=8, colour=6):
            head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
            return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9))
                + chunk(b"IEND", b""))
        def filled(width, height, *colour):
            return png(width, height, (b"\0" + bytes(colour) * width) * height)
        def passfile(**pictures):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("manifest.json", "{}")
                archive.writestr("pass.json", json.dumps({
                    "formatVersion": 1, "passTypeIdentifier": "pass.example.test", "serialNumber": "1",
                    "teamIdentifier": "T", "organizationName": "O", "description": "D",
                    "storeCard": {"primaryFields": []}}))
                for name, octets in pictures.items(): archive.writestr(name + ".png", octets)
            return out.getvalue()
        program = subprocess.Popen(
            [sys.argv[1], "pictures", "2", "pt:en"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        def ask(octets):
            program.stdin.write(struct.pack("=Q", len(octets)) + octets)
            program.stdin.flush()
            count, = struct.unpack("=Q", program.stdout.read(8))
            answer, found = io.BytesIO(program.stdout.read(count)), []
            for kind in ["logo", "strip", "thumbnail", "footer", "background"]:
                width, height, across, down = struct.unpack("=QQdd", answer.read(32))
                words = set(struct.unpack(f"={width * height}I", answer.read(width * height * 4)))
                if width: found.append((kind, width, height, across, down, sorted(map(hex, words))))
            return found, len(answer.read())
        print(ask(passfile(logo=filled(60, 40, 255, 0, 0, 255))))
        with open(f"/proc/{program.pid}/status") as status:
            for line in status:
                if line.startswith(("Seccomp:", "CapEff", "NoNewPrivs")): print(line.strip())
        print(ask(passfile(
            logo=png(30000, 30000, bytes(100), 1, 0), strip=b"broken",
            thumbnail=filled(9, 9, 0, 0, 0, 255))))
        print(ask(b"no archive"))
        strip = passfile(strip=filled(375, 123, 0, 255, 0, 255))
        print(ask(strip))
        program.stdin.close()
        print(program.wait())
        """#

    @Test("one pass after the other, valid or hostile")
    func passes() throws {
        let path = Program.folder.appendingPathComponent("passconduit-render").path
        let result = try Program("/usr/bin/python3", home: home).run(["-c", Self.script, path])
        #expect(result.errors == "")
        #expect(
            result.output == """
                ([('logo', 60, 40, 60.0, 40.0, ['0xffff0000'])], 0)
                CapEff:\t0000000000000000
                NoNewPrivs:\t1
                Seccomp:\t2
                ([], 0)
                ([], 0)
                ([('strip', 375, 123, 375.0, 123.0, ['0xff00ff00'])], 0)
                0

                """)
    }

    @Test(
        "it exits with the window that shows the images",
        .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"))
    func window() throws {
        let screen = try Display(home)
        let pass = Program.package.appendingPathComponent(
            "Samples/passes/trusted/coupon-shop.pkpass")
        let viewer = try screen.view([pass.path])
        try screen.shows("push button: Cancel", "Fern & Fold")
        // The accessible text appears before the pixels are drawn.
        var rows = 0
        for _ in 0..<100 where rows <= 300 { rows = try rowsOfStrip(on: screen) }
        #expect(rows > 300)
        // The decoder waits for the next pass.
        let decoder = try #require(viewer.child("passconduit-render"))
        let status = try String(contentsOfFile: "/proc/\(decoder)/status", encoding: .utf8)
        #expect(status.contains("Seccomp:\t2"))
        try screen.keys("Escape")
        _ = try viewer.finish()
        for _ in 0..<600 where kill(decoder, 0) == 0 { Thread.sleep(forTimeInterval: 0.05) }
        #expect(kill(decoder, 0) != 0)
    }

    /// The number of pixels in the colour of the strip's last row, which is the lightest.
    private func rowsOfStrip(on screen: Display) throws -> Int {
        let counted = try screen.program("/usr/bin/convert").run([
            try screen.picture(), "-fuzz", "2%", "-fill", "black", "+opaque", "#C7E5B3", "-fill",
            "white", "-opaque", "#C7E5B3", "-format", "%[fx:round(mean*w*h)]", "info:",
        ])
        return Int(counted.output) ?? 0
    }
}
