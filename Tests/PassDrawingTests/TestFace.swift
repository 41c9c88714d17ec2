import Bytes
import Foundation
import PassDrawing
import PassModel
import PassVerification
import Testing

/// The drawn face of a pass that a test defines.
struct TestFace {
    /// JSON added to the required keys.
    var json: String
    /// The names of images, and Python code that makes their contents; see `program`.
    var images: [(name: String, python: String)] = []
    var options = TestFace.english

    static let english = FaceOptions(
        languages: ["en"], locale: Locale(identifier: "en_US"), timeZone: .gmt,
        // 2026-05-01
        now: Date(timeIntervalSince1970: 1_777_593_600), scale: 1)

    static func options(_ language: String) -> FaceOptions {
        var options = english
        options.languages = [language]
        options.locale = Locale(identifier: language)
        return options
    }

    init(_ json: String, images: [(name: String, python: String)] = []) {
        self.json = json
        self.images = images
    }

    private var passJSON: String {
        """
        {"formatVersion": 1, "passTypeIdentifier": "pass.example.test", "serialNumber": "1",
         "teamIdentifier": "TEAM123456", "organizationName": "Sample", "description": "A sample",
         \(json)}
        """
    }

    func pass() throws -> Pass { try Pass(json: Array(passJSON.utf8)) }

    func face() throws -> PassFace {
        PassFace(try pass(), try pictures(), for: options)
    }

    func pictures() throws -> FacePictures {
        FacePictures(try passImages(), of: try pass(), for: options)
    }

    func back() throws -> PassFace { PassFace(backOf: try pass(), for: options) }

    /// The pixels of the drawing, in RGBA.
    func pixels(scale: Int = 1) throws -> Pixels {
        try Pixels(png: try face().png(scale: scale))
    }

    /// The text that pdftotext reads, in the order of the page.
    func text() throws -> String {
        try TestFace.text(in: try face().pdf(title: "Sample"))
    }

    static func text(in pdf: [UInt8]) throws -> String {
        String(decoding: try run(["pdftotext", "-raw", "-", "-"], input: pdf), as: UTF8.self)
    }

    private func passImages() throws -> PassImages? {
        guard !images.isEmpty else { return nil }
        let members = images.map { "'\($0.name)': \($0.python)" }.joined(separator: ", ")
        let pass = #"{"passTypeIdentifier": "pass.example", "serialNumber": "1", "generic": {}}"#
        let script = Self.program + "write({'pass.json': b'\(pass)', \(members)})\n"
        return try #require(UnjudgedPass(SpooledBytes(try run(["python3", "-c", script])))).images
    }

    /// Writes an archive of images: `filled` with one colour, `declared` to be of a size, or a
    /// `jpeg`.
    private static let program = """
        import io, struct, subprocess, sys, zipfile, zlib
        def chunk(kind, octets):
            return struct.pack('>I', len(octets)) + kind + octets + struct.pack('>I', zlib.crc32(kind + octets))
        def png(width, height, rows, depth=8, colour=6):
            head = struct.pack('>IIBBBBB', width, height, depth, colour, 0, 0, 0)
            return (b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', head) + chunk(b'IDAT', zlib.compress(rows, 9))
                + chunk(b'IEND', b''))
        def filled(width, height, *colour):
            return png(width, height, (b'\\0' + bytes(colour or (255, 0, 0, 255)) * width) * height)
        def declared(width, height):
            return png(width, height, (b'\\0' + bytes((width + 7) // 8)) * height, 1, 0)
        def jpeg(width, height):
            return subprocess.run(['convert', '-seed', '1', '-size', f'{width}x{height}', 'plasma:', 'jpg:-'],
                capture_output=True, check=True).stdout
        def scans(count, side):
            def segment(kind, octets):
                return b'\\xff' + bytes([kind]) + struct.pack('>H', len(octets) + 2) + octets
            # Progressive (ITU-T T.81, annex G), each scan one run of blocks without a coefficient.
            head = (b'\\xff\\xd8' + segment(0xdb, b'\\0' + bytes([1] * 64))
                + segment(0xc2, struct.pack('>BHHB', 8, side, side, 1) + bytes([1, 0x11, 0]))
                + segment(0xc4, bytes([0x10, 1] + [0] * 15 + [0xe0])) + segment(0xc4, bytes([0, 1] + [0] * 15 + [0])))
            scan = segment(0xda, bytes([1, 1, 0, 1, 63, 0])) + bytes(-(-(side // 8) ** 2 // 16384) * 15 // 8 + 1)
            return head + scan * count + b'\\xff\\xd9'
        def write(files):
            out = io.BytesIO()
            with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
                for name, octets in files.items(): z.writestr(name, octets)
            sys.stdout.buffer.write(out.getvalue())

        """
}

extension PassFace {
    func png(scale: Int) throws -> [UInt8] { try FaceSheet([[self]]).png(scale: scale) }
    func svg() throws -> [UInt8] { try FaceSheet([[self]]).svg() }
    func pdf(title: String) throws -> [UInt8] { try FaceSheet([[self]]).pdf(title: title) }
}

/// Pixels as ImageMagick reads them.
struct Pixels {
    let width: Int
    let height: Int
    private let bytes: [UInt8]

    init(png: [UInt8]) throws {
        let text = try run(["identify", "-format", "%w %h", "png:-"], input: png)
        let size = String(decoding: text, as: UTF8.self).split(separator: " ").compactMap {
            Int($0)
        }
        (width, height) = (size[0], size[1])
        bytes = try run(["convert", "png:-", "-depth", "8", "rgba:-"], input: png)
        try #require(bytes.count == width * height * 4)
    }

    subscript(x: Int, y: Int) -> [UInt8] {
        Array(bytes[(y * width + x) * 4..<(y * width + x) * 4 + 4])
    }

    /// The number of transparent pixels in a column or a row.
    func clear(inColumn x: Int) -> Int { (0..<height).count { self[x, $0][3] == 0 } }
    func clear(inRow y: Int) -> Int { (0..<width).count { self[$0, y][3] == 0 } }

    /// - Parameter inset: The number of pixels to leave out at each edge.
    func count(of color: [UInt8], inset: Int = 0) -> Int {
        let (red, green, blue, alpha) = (color[0], color[1], color[2], color[3])
        var count = 0
        for y in inset..<height - inset {
            // Array comparisons would dominate the time for a million pixels.
            for place in stride(
                from: (y * width + inset) * 4, to: ((y + 1) * width - inset) * 4, by: 4)
            where bytes[place] == red && bytes[place + 1] == green && bytes[place + 2] == blue
                && bytes[place + 3] == alpha
            {
                count += 1
            }
        }
        return count
    }
}

/// Runs another program with the given input. Uses files instead of pipes.
func run(_ words: [String], input: [UInt8] = []) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "passconduit-face-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (read, written) = (folder.appending(path: "input"), folder.appending(path: "output"))
    try Data(input).write(to: read)
    try Data().write(to: written)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = folder
    process.standardInput = try FileHandle(forReadingFrom: read)
    process.standardOutput = try FileHandle(forWritingTo: written)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(words[0]) failed")
    return Array(try Data(contentsOf: written))
}
