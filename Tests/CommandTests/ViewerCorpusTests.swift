import Foundation
import PassFixtures
import Testing

/// `EXPECTED.tsv` was produced by other tools: Python and the openssl program.
@Suite(
    "real passes are shown with their expected verdicts",
    .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"),
    .enabled(if: RealPasses.areHere, "no genuine passes beside this checkout"))
final class ViewerCorpusTests {
    private let home: Home

    init() throws {
        home = try Home()
    }

    deinit { home.remove() }

    private struct Row: Decodable {
        let file: String
        let verdict: String
        /// The name of the file on disk.
        var name: Substring { file.prefix { $0 != "!" } }
        /// The background colour without pictures on it, `#rrggbb`; nil if the pass has none.
        let colour: String?
    }

    private static let words = [
        "trusted": "label: Trusted", "untrusted": "label: Not trusted: no known",
        "unsigned": "label: Not signed: anyone",
        "tampered": "label: Changed after it was signed",
        "malformed": "label: This cannot be read as a pass",
    ]

    @Test(
        "several passes in one window, each drawn as a card", .tags(.repeats),
        arguments: [420, 360])
    func stack(width: Int) throws {
        let screen = try Display(home, width: 800, height: 900)
        let listed = try Program(home: home, environment: ["CORPUS": RealPasses.folder])
            .shell("python3 -c '\(script)'")
        try #require(listed.status == 0, "\(listed.errors)")
        let all = try JSONDecoder().decode([Row].self, from: Data(listed.output.utf8))
        try #require(all.count > 20)
        // The members of a bundle are shown together.
        let some = Dictionary(grouping: all, by: \.verdict).values.flatMap { $0.prefix(3) }
        let names = Set((isEndurance ? all : some).map(\.name))
        let rows = all.filter { names.contains($0.name) }
        var files: [String] = []
        for row in rows {
            let file = "\(RealPasses.folder)/\(row.name)"
            if files.last != file { files.append(file) }
        }
        let viewer = try screen.view(files)
        let first = "label: 1 of \(rows.count)"
        try #require(try screen.shows(first).contains(first))
        if width != 420 { try screen.resize("(Add )?Pass", width: width, height: 720) }
        for (index, row) in rows.enumerated() {
            let words = try #require(ViewerCorpusTests.words[row.verdict])
            let shown = try screen.shows("label: \(index + 1) of \(rows.count)", words)
            try #require(shown.contains(words), "\(row.file)")
            // Some of the malformed passes contain enough to be shown.
            if row.verdict != "malformed" { #expect(shown.contains("\nimage: "), "\(row.file)") }
            if let colour = row.colour { try expectCard(colour, row.file, width, on: screen) }
            try screen.keys("Page_Down")
        }
        try screen.keys("Escape")
        let result = try viewer.finish()
        #expect(result.status == 3)
        #expect(result.errors == "")
    }

    /// Checks that the card spans from the left margin to the right one, which are equal.
    private func expectCard(
        _ colour: String, _ file: String, _ width: Int, on screen: Display
    ) throws {
        var found: [Int] = []
        for attempt in 0..<20 {
            if attempt > 0 { Thread.sleep(forTimeInterval: 0.1) }
            let box = try screen.program("/bin/sh").run([
                "-ec",
                """
                import -window root -crop \(width)x900+0+0 +repage screen.ppm
                convert screen.ppm -fuzz 2% -fill black +opaque '\(colour)' -format '%@' info:
                """,
            ])
            found = box.output.split { "x+".contains($0) }.compactMap { Int($0) }
            guard found.count == 4 else { continue }
            let (left, right) = (found[2], width - found[2] - found[0])
            if (8...40).contains(left), abs(left - right) <= 4 { return }
        }
        Issue.record("\(file): \(colour) is seen in \(found)")
    }

    private let script = #"""
        import io, json, os, re, zipfile
        folder = os.environ["CORPUS"]
        rows = [line.split("\t") for line in open(folder + "/EXPECTED.tsv")][1:]
        members = {}
        listed = []
        for file, verdict in (row[:2] for row in rows):
            if verdict == "bundle": continue
            name, _, member = file.partition("!")
            data = open(folder + "/" + name, "rb").read()
            if member: data = zipfile.ZipFile(io.BytesIO(data)).read(member)
            colour = None
            try:
                archive = zipfile.ZipFile(io.BytesIO(data))
                style = json.loads(archive.read("pass.json"))
                numbers = re.fullmatch(r"rgb\((\d+), *(\d+), *(\d+)\)", style["backgroundColor"])
                rgb = [int(number) for number in numbers.groups()]
                covered = any(os.path.basename(name).startswith(("background", "strip"))
                    for name in archive.namelist())
                # What is nearly white or grey is elsewhere in the window too.
                if verdict != "malformed" and not covered and max(rgb) - min(rgb) > 40:
                    colour = "#%02x%02x%02x" % tuple(rgb)
            except Exception:
                pass
            listed.append(dict(file=file, verdict=verdict, colour=colour))
        print(json.dumps(listed))
        """#
}
