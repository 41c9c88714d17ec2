import BarcodeReading
import Foundation
import PassFixtures
import Testing

@Suite("render draws a pass into a file")
final class RenderTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        program = Program(home: home)
        passes = try TestPasses.make()
        let imported = try program.run(
            ["import"] + passes.trust + [passes.path("trusted.pkpass")])
        try #require(imported.status == 0)
    }

    deinit { home.remove() }

    private func start(of name: String, _ count: Int) throws -> Data {
        try Data(contentsOf: home.folder.appendingPathComponent(name)).prefix(count)
    }

    @Test(
        "in the format of the file's extension, or of --format",
        arguments: [
            (["-o", "a.png"], "a.png", "\u{89}PNG"), (["-o", "a.PDF"], "a.PDF", "%PDF"),
            (["-o", "a.svg"], "a.svg", "<?xm"),
            (["-o", "a.png", "--format", "svg"], "a.png", "<?xm"),
            (["-o", "a", "--format", "pdf"], "a", "%PDF"),
        ])
    func formats(options: [String], file: String, magic: String) throws {
        for pass in ["1", "pass.example.test/0001", passes.path("trusted.pkpass")] {
            let result = try program.run(["render", pass, "--force"] + passes.trust + options)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == "")
            #expect(result.errors == "")
            #expect(try start(of: file, 4) == Data(magic.unicodeScalars.map { UInt8($0.value) }))
        }
        #expect(try program.shell("ls").output.split(separator: "\n") == [Substring(file)])
    }

    @Test("a barcode that cannot be drawn is reported, and its text is shown")
    func barcode() throws {
        let json = """
            {"formatVersion": 1, "passTypeIdentifier": "pass.example.test", "serialNumber": "2",
             "teamIdentifier": "TEAM123456", "organizationName": "Sample", "description": "Sample",
             "generic": {}, "barcodes": [{"format": "PKBarcodeFormatEAN13", "message": "AB-12345",
             "messageEncoding": "iso-8859-1"}]}
            """
        try home.write(Data(json.utf8), to: "pass.json")
        _ = try program.shell("zip -q code.pkpass pass.json")
        let result = try program.run(["render", "code.pkpass", "-o", "code.pdf"])
        #expect(result.status == 0)
        #expect(
            result.errors.contains(
                "passconduit: the barcode was left out: EAN-13 allows only digits\n"))
        #expect(try program.shell("pdftotext code.pdf -").output.contains("AB-12345"))
    }

    @Test("a barcode that is drawn in UTF-8, not in its charset, is reported, also by open")
    func otherCharset() throws {
        let json = """
            {"formatVersion": 1, "passTypeIdentifier": "pass.example.test", "serialNumber": "2",
             "teamIdentifier": "TEAM123456", "organizationName": "Sample", "description": "Sample",
             "generic": {}, "barcodes": [{"format": "PKBarcodeFormatQR", "message": "20 \u{20AC}",
             "messageEncoding": "koi8-r"}]}
            """
        try home.write(Data(json.utf8), to: "pass.json")
        _ = try program.shell("zip -q code.pkpass pass.json")
        let words = "barcodes[0]: the message has characters that 'koi8-r' lacks"
        let file = try program.run(["render", "code.pkpass", "-o", "code.png"])
        #expect(file.errors.contains("passconduit: code.pkpass: \(words)"), "\(file.errors)")
        let opened = try program.run(["open", "code.pkpass"])
        #expect(opened.output.contains("Note      \(words)"), "\(opened.output)")
        _ = try program.run(["import", "--accept", "unsigned", "code.pkpass"])
        let name = "pass.example.test/2"
        let stored = try program.run(["render", name, "-o", "stored.png"])
        #expect(stored.errors.contains("passconduit: \(name): \(words)"), "\(stored.errors)")
    }

    @Test(
        "the barcode holds the message in the charset of the pass, whose table is loaded late",
        .enabled(if: ZXing.isHere, "no ZXingReader on this computer"),
        arguments: [
            ("iso-8859-5", [0xB1, 0xD8, 0xDB, 0xD5, 0xE2]),
            ("KOI8-R", [0xE2, 0xC9, 0xCC, 0xC5, 0xD4]),
            // Python: "Билет".encode("gb18030")
            ("gb18030", [0xA7, 0xA2, 0xA7, 0xDA, 0xA7, 0xDD, 0xA7, 0xD6, 0xA7, 0xE4]),
        ] as [(String, [UInt8])])
    func charset(name: String, expected: [UInt8]) throws {
        let json = """
            {"formatVersion": 1, "passTypeIdentifier": "pass.example.test", "serialNumber": "2",
             "teamIdentifier": "TEAM123456", "organizationName": "Sample", "description": "Sample",
             "generic": {}, "barcodes": [{"format": "PKBarcodeFormatQR", "message": "Билет",
             "messageEncoding": "\(name)"}]}
            """
        try home.write(Data(json.utf8), to: "pass.json")
        _ = try program.shell("zip -q charset.pkpass pass.json")
        let result = try program.run(["render", "charset.pkpass", "-o", "charset.png"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try ZXing.octets(in: home.path("charset.png"), format: "QRCode") == expected)
        // Also where the reader of import is confined: there is no note.
        let scanned = try program.run(["scan", "--json", "charset.pkpass"])
        #expect(scanned.output.contains("\"notes\":[") && !scanned.output.contains("barcode-"))
    }

    @Test("without a font nothing is drawn, and the reason is reported")
    func noFont() throws {
        try home.write(
            Data("<fontconfig><dir>\(home.path("fonts"))</dir></fontconfig>".utf8),
            to: "fonts.conf")
        let poor = Program(home: home, environment: ["FONTCONFIG_FILE": home.path("fonts.conf")])
        let result = try poor.run(["render", "1", "-o", "pass.png"])
        #expect(result.status == 2)
        #expect(
            result.errors.contains(
                "passconduit: passconduit-render: no font is installed"))
        #expect(!FileManager.default.fileExists(atPath: home.path("pass.png")))
    }

    @Test("a PDF contains text, in the requested language")
    func text() throws {
        _ = try program.run(["render", "1", "-o", "pass.pdf", "--language", "de"])
        let text = try program.shell("pdftotext -raw pass.pdf -").output
        for words in ["Example Air", "Flugsteig", "LIS", "Porto", "12A", "ABC123"] {
            #expect(text.contains(words), "\(words)")
        }
        #expect(try program.shell("pdfinfo pass.pdf").output.contains("Flight to Porto"))
    }

    @Test("the scale sets the number of pixels", arguments: [1, 2, 3])
    func scale(scale: Int) throws {
        _ = try program.run(["render", "1", "-o", "pass.png", "--scale", String(scale)])
        let width = try program.shell("identify -format %w pass.png").output
        #expect(width == String(375 * scale))
    }

    @Test("to standard output, for a pipe")
    func output() throws {
        let result = try program.shell("\"$PROGRAM\" render 1 -o - | identify -format '%m %w' -")
        #expect(result.output == "PNG 750")
        #expect(result.errors == "")
    }

    @Test("nothing is overwritten without --force")
    func existing() throws {
        try home.write(Data("mine".utf8), to: "pass.png")
        let result = try program.run(["render", "1", "-o", "pass.png"])
        #expect(result.status == 2)
        #expect(
            result.errors == "passconduit: pass.png: already exists: --force overwrites it\n")
        #expect(try start(of: "pass.png", 4) == Data("mine".utf8))
        #expect(try program.run(["render", "1", "-o", "no/such/pass.png"]).status == 2)
        #expect(try program.run(["render", "1", "-o", "pass.png", "--force"]).status == 0)
        #expect(try start(of: "pass.png", 4) != Data("mine".utf8))
        #expect(try program.shell("ls").output == "pass.png\n")
    }

    @Test(
        "an untrusted pass is drawn with a warning, a tampered one is not drawn",
        arguments: [
            ("untrusted.pkpass", 0, "this pass is untrusted"),
            ("unsigned.pkpass", 0, "this pass is unsigned"),
            ("tampered.pkpass", 3, "this pass is tampered"),
            ("html.pkpass", 3, "this pass is malformed"),
            ("climbing.pkpass", 3, "this pass is malformed"),
            ("missing.pkpass", 2, "no such file or directory"),
        ])
    func verdicts(name: String, status: Int32, words: String) throws {
        let result = try program.run(["render", passes.path(name), "-o", "pass.png"])
        #expect(result.status == status)
        #expect(result.errors.hasPrefix("passconduit: \(passes.path(name)): \(words)"))
        #expect(try program.shell("ls").output == (status == 0 ? "pass.png\n" : ""))
    }

    @Test(
        "invalid usage is reported",
        arguments: [
            (["1", "-o", "pass.gif"], "the name of the picture ends with .png, .svg or .pdf"),
            (["1", "-o", "pass.png", "--scale", "4"], "--scale is 1, 2 or 3"),
            (["1"], "missing expected argument '--output <file>'"),
        ])
    func usage(arguments: [String], clause: String) throws {
        let result = try program.run(["render"] + arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains(clause))
        #expect(try program.run(["render", "nobody", "-o", "pass.png"]).status == 1)
    }

    @Test("if the drawing program is not installed, its package is named")
    func notInstalled() throws {
        let alone = try program.shell(
            "mkdir bin && cp \"$PROGRAM\" bin/ && bin/passconduit render 1 -o pass.png")
        #expect(alone.status == 2)
        #expect(
            alone.errors == "passconduit: passconduit-render: not installed: the package "
                + "passconduit-viewer contains it\n")
    }

    @Test("the drawing program limits its time and memory before it reads the pass")
    func limits() throws {
        let render = Program("passconduit-render", home: home)
        let trace = try render.shell(
            """
            strace -f -qq -e trace=prlimit64,setrlimit,read -o trace "$PROGRAM" png 1 en en_US GMT both \
                < /dev/null; cat trace
            """)
        let calls = trace.output.split(separator: "\n")
        let limits = calls.prefix { !$0.contains("read(0") }
        try #require(limits.count < calls.count)
        for limit in [
            "RLIMIT_CPU, {rlim_cur=30, rlim_max=30}",
            "RLIMIT_AS, {rlim_cur=2097152*1024, rlim_max=2097152*1024}",
            "RLIMIT_CORE, {rlim_cur=0, rlim_max=0}",
        ] {
            #expect(limits.contains { $0.contains(limit) }, "\(limit)")
        }
    }

    @Test("after reading the pass, the drawing program can neither write files nor start programs")
    func confined() throws {
        let render = Program("passconduit-render", home: home)
        let pass = passes.path("trusted.pkpass")
        let trace = try render.shell(
            """
            (python3 -c 'import os, struct, sys
            sys.stdout.buffer.write(struct.pack("Q", os.path.getsize(sys.argv[1])))' '\(pass)'
            cat '\(pass)') |
                strace -f -qq -e trace=openat,socket,execve,seccomp -o trace \
                    "$PROGRAM" png 1 en en_US GMT both > pass.png && cat trace
            """)
        // Before it reads the pass, fontconfig may write to its cache.
        let calls = trace.output.split(separator: "\n").filter { !$0.contains("= -1") }
            .drop { !$0.contains("seccomp") }.dropFirst()
        #expect(calls.contains { $0.contains(".ttf") || $0.contains("fonts") })
        #expect(!calls.contains { $0.contains("execve") })
        #expect(!calls.contains { $0.contains("socket") })
        #expect(!calls.contains { $0.contains("O_WRONLY") || $0.contains("O_RDWR") })
    }
}
