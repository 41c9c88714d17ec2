import Foundation
import Testing

/// The pictures in `windows` were checked by eye. Edges of letters differ between versions of
/// cairo, so the test uses one font and one theme, and compares the pictures at low resolution.
@Suite(
    "the windows match the reference pictures",
    .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"),
    .enabled(
        if: [DejaVu.folder, "/usr/share/icons/Adwaita"].allSatisfy(
            FileManager.default.fileExists), "DejaVu or the icons of Adwaita are not installed"))
final class ViewerReferencesTests {
    private let home: Home
    private static let windows = Program.package.appendingPathComponent(
        "Tests/CommandTests/windows")
    private static let samples = Program.package.appendingPathComponent("Samples")

    init() throws {
        home = try Home()
        let sample = Self.samples.appendingPathComponent("passes/trusted")
        for name in ["store-card-cafe", "generic-gym"] {
            try FileManager.default.copyItem(
                atPath: sample.appendingPathComponent("\(name).pkpass").path,
                toPath: home.path("\(name).pkpass"))
        }
    }

    deinit { home.remove() }

    private var options: [String] {
        let authority = Self.samples.appendingPathComponent("authority/root.pem").path
        return ["--trust-root", authority, "--language", "en-US"]
    }

    private func screen(_ width: Int, _ height: Int, theme: String = "Adwaita") throws -> Display {
        try home.write(
            Data(
                """
                <?xml version="1.0"?>
                <!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
                <fontconfig><dir>\(DejaVu.folder)</dir><cachedir>\(home.path("cache"))</cachedir>
                <match target="pattern"><edit name="family" mode="assign" binding="strong">
                <string>DejaVu Sans</string></edit></match>
                </fontconfig>
                """.utf8), to: "fonts.conf")
        return try Display(
            home, width: width, height: height,
            ["FONTCONFIG_FILE": home.path("fonts.conf"), "GTK_THEME": theme])
    }

    @Test(
        "the window that asks about a pass, in light and in dark, and on a phone",
        arguments: [
            ("add-light", "Adwaita", 420, 640), ("add-dark", "Adwaita:dark", 420, 640),
            ("add-narrow", "Adwaita", 360, 590),
        ])
    func adding(name: String, theme: String, width: Int, height: Int) throws {
        let screen = try screen(width, height, theme: theme)
        let viewer = try screen.view(options + ["store-card-cafe.pkpass"])
        try screen.shows("label: Trusted", "push button: Add")
        try screen.resize("Add Pass", width: width, height: height)
        try expect(screen, name)
        try screen.keys("Escape")
        #expect(try viewer.finish().status == 0)
    }

    @Test("the second question about an untrusted pass")
    func warning() throws {
        let screen = try screen(420, 720)
        let viewer = try screen.view(["--language", "en-US", "store-card-cafe.pkpass"])
        try screen.shows("push button: Add\u{2026}")
        try screen.keys("Return")
        try screen.shows("push button: Add Anyway")
        try expect(screen, "warning")
        try screen.keys("Escape")
        #expect(try viewer.finish().status == 3)
    }

    @Test("the library, and an enlarged barcode")
    func library() throws {
        let screen = try screen(900, 700)
        _ = try Program(home: home).run(
            ["import", "store-card-cafe.pkpass", "generic-gym.pkpass"] + options.prefix(2))
        let viewer = try screen.view(options)
        try screen.shows("list item: Oak Gym membership")
        try screen.keys("Down", "Down")
        try screen.shows("History (1)")
        try expect(screen, "library")
        try screen.keys("F9")
        try screen.shows("frame: Barcode")
        try expect(screen, "barcode")
        try screen.keys("Escape")
        try screen.hides("frame: Barcode")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }

    /// Compares the pictures as soon as the window stops changing.
    private func expect(
        _ screen: Display, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let reference = Self.windows.appendingPathComponent("\(name).png").path
        if let folder = ProcessInfo.processInfo.environment["PASSCONDUIT_WINDOWS"] {
            Thread.sleep(forTimeInterval: 2)
            _ = try screen.program("/bin/sh").run([
                "-c", "import -window root +dither -colors 96 '\(folder)/\(name).png'",
            ])
        }
        var difference = 1.0
        // The maximum is 1. A window without its verdict differs by 0.03, one with another card by
        // 0.1.
        for attempt in 0..<30 where difference >= 0.01 {
            if attempt > 0 { Thread.sleep(forTimeInterval: 0.1) }
            let compared = try screen.program("/bin/sh").run([
                "-ec",
                """
                import -window root -resize 25% small.png
                convert '\(reference)' -resize 25% small-reference.png
                compare -metric RMSE small.png small-reference.png null: 2>&1 |
                    sed 's/.*(\\(.*\\)).*/\\1/'
                """,
            ])
            difference = Double(compared.output.trimmingCharacters(in: .newlines)) ?? 1
        }
        if difference >= 0.01 { screen.keepPicture(sourceLocation) }
        #expect(difference < 0.01, "\(name)", sourceLocation: sourceLocation)
    }
}
