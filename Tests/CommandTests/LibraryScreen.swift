import Foundation
import Testing

/// A screen with the library window.
final class LibraryScreen {
    let home: Home
    let screen: Display
    let program: Program

    static let samples = Program.package.appendingPathComponent("Samples/passes")

    init() throws {
        home = try Home()
        screen = try Display(home)
        program = Program(home: home)
        let authority = Program.package.appendingPathComponent("Samples/authority/root.pem").path
        _ = try program.run(["trust", "add", authority])
    }

    deinit { home.remove() }

    func add(_ names: String...) throws {
        let files = names.map { LibraryScreen.samples.appendingPathComponent($0).path }
        _ = try program.run(["import"] + files)
    }

    /// Adds unsigned passes.
    func add(_ passes: [DatedPass]) throws {
        let folder = home.folder.appendingPathComponent("made-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let python = Program("/usr/bin/python3", home: home)
        let json = try JSONEncoder().encode(passes)
        let result = try python.run(
            ["-c", DatedPass.script, folder.path, String(decoding: json, as: UTF8.self)])
        try #require(result.status == 0, "\(result.errors)")
        _ = try program.run(["import", "--accept", "unsigned", folder.path])
    }

    var count: Int { get throws { try program.run(["list"]).lines.count } }

    /// The library's folder, as the program knows it.
    var folder: URL { home.library }

    /// Closes the window and checks that the program exits without an error.
    func end(_ viewer: Started, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try screen.keys("ctrl+q")
        let result = try viewer.finish()
        #expect(result.status == 0, "\(result.errors)", sourceLocation: sourceLocation)
        // GTK reports its errors on standard error. Its rounding of the widths of wrapped lines
        // varies, which it reports as well.
        let complaints = result.errors.split(separator: "\n")
            .filter { !$0.hasSuffix("Expect overlapping widgets.") }.joined(separator: "\n")
        #expect(
            !complaints.contains("CRITICAL"), "\(complaints)",
            sourceLocation: sourceLocation)
    }

    /// Waits for a condition that the screen does not show.
    func waits(
        _ condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for _ in 0..<1200 {
            if try condition() { return }
            Thread.sleep(forTimeInterval: 0.05)
        }
        Issue.record("nothing came of it", sourceLocation: sourceLocation)
    }
}

/// The contents of an unsigned pass.
struct DatedPass: Encodable {
    var serial: String
    var description: String
    /// The relevant date, in seconds from now.
    var relevant: Double?
    var expires: Double?
    var voided = false
    /// The message for NFC readers.
    var nfc: String?

    static let script = """
        import datetime, json, sys, zipfile
        def moment(seconds):
            date = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
            return date.strftime("%Y-%m-%dT%H:%M:%SZ")
        for given in json.loads(sys.argv[2]):
            content = dict(formatVersion=1, passTypeIdentifier="pass.example.dated",
                serialNumber=given["serial"], teamIdentifier="TEAM123456", organizationName="",
                description=given["description"], voided=given["voided"], generic={})
            if "relevant" in given: content["relevantDate"] = moment(given["relevant"])
            if "expires" in given: content["expirationDate"] = moment(given["expires"])
            if "nfc" in given: content["nfc"] = dict(message=given["nfc"])
            with zipfile.ZipFile(f"{sys.argv[1]}/{given['serial']}.pkpass", "w") as archive:
                archive.writestr("pass.json", json.dumps(content))
                archive.writestr("icon.png", b"no picture")
        """
}
