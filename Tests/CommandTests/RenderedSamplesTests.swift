import Foundation
import Testing

/// The pictures in `faces` were checked by eye. Fonts differ between computers, and edges differ
/// between versions of cairo, so the test uses one font and compares the pictures at low
/// resolution.
@Suite(
    "Rendered samples match the reference pictures",
    .enabled(
        if: FileManager.default.fileExists(atPath: DejaVu.folder),
        "DejaVu is not installed"))
struct RenderedSamplesTests {
    private static let faces = Program.package.appendingPathComponent("Tests/CommandTests/faces")

    private func render(_ sample: String, in home: Home) throws -> Program {
        try home.write(
            Data(
                """
                <?xml version="1.0"?>
                <!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
                <fontconfig><dir>\(DejaVu.folder)</dir><cachedir>\(home.path("cache"))</cachedir>
                <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
                </fontconfig>
                """.utf8), to: "fonts.conf")
        let program = Program(
            home: home, environment: ["FONTCONFIG_FILE": home.path("fonts.conf")])
        let samples = Program.package.appendingPathComponent("Samples")
        let result = try program.run([
            "render", samples.appendingPathComponent("passes/trusted/\(sample).pkpass").path,
            "--trust-root", samples.appendingPathComponent("authority/root.pem").path,
            "-o", "face.png", "--scale", "1", "--language", "en-US",
        ])
        try #require(result.status == 0, "\(result.errors)")
        #expect(result.errors == "")
        return program
    }

    @Test(
        "one of each style",
        arguments: [
            "boarding-pass-air-gate-7", "boarding-pass-train", "coupon-shop", "event-ticket-cinema",
            "generic-gym", "store-card-cafe",
        ])
    func same(sample: String) throws {
        let home = try Home()
        defer { home.remove() }
        let program = try render(sample, in: home)
        let reference = Self.faces.appendingPathComponent("\(sample).png").path
        if let folder = ProcessInfo.processInfo.environment["PASSCONDUIT_FACES"] {
            _ = try program.shell("cp face.png '\(folder)/\(sample).png'")
        }
        let size = "identify -format '%wx%h'"
        #expect(
            try program.shell("\(size) face.png").output
                == program.shell("\(size) '\(reference)'").output)
        // The maximum is 1. A missing field gives 0.01, another card colour more than 0.1.
        let compared = try program.shell(
            """
            for file in face.png '\(reference)'; do
                convert "$file" -background gray -flatten -resize 25% "small-$(basename "$file")"
            done
            compare -metric RMSE small-face.png 'small-\(sample).png' null: 2>&1 |
                sed 's/.*(\\(.*\\)).*/\\1/'
            """)
        let difference = try #require(Double(compared.output.trimmingCharacters(in: .newlines)))
        #expect(difference < 0.005)
    }
}

enum DejaVu {
    static let folder = "/usr/share/fonts/truetype/dejavu"
}
