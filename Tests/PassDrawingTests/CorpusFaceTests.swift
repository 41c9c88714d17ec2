import BarcodeReading
import Bytes
import Foundation
import PassDrawing
import PassFixtures
import PassModel
import PassVerification
import Testing

@Suite(
    "Every real pass can be drawn",
    .enabled(if: !RealPasses.files.isEmpty, "no genuine passes beside this checkout"))
struct CorpusFaceTests {
    @Test(
        "as PNG, SVG and PDF, in each language", .tags(.repeats), arguments: RealPasses.files,
        isEndurance ? ["en", "de", "pt-BR", "ko", "ru", "ar", "zh-Hans"] : ["en", "ar"])
    func faces(file: String, language: String) throws {
        for member in try RealPasses.members(of: file) {
            guard let file = UnjudgedPass(member.octets) else { continue }
            let (pass, images) = (file.pass, file.images)
            let options = TestFace.options(language)
            let face = PassFace(
                pass, FacePictures(images, of: pass, for: options), for: options)
            #expect(face.size.width == 375)
            #expect(440...850 ~= face.size.height)
            #expect(!face.spokenText.isEmpty)
            #expect(try face.png(scale: 1).starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(String(decoding: try face.svg(), as: UTF8.self).contains("</svg>"))
            let pdf = try face.pdf(title: "").prefix(5)
            #expect(String(decoding: pdf, as: UTF8.self) == "%PDF-")
        }
    }

    @Test(
        "ZXing reads its barcode at each scale, byte for byte",
        .enabled(if: ZXing.isHere, "no ZXingReader on this computer"),
        arguments: RealPasses.files)
    func barcodes(file: String) throws {
        for member in try RealPasses.members(of: file) {
            guard let file = UnjudgedPass(member.octets) else { continue }
            let (pass, images) = (file.pass, file.images)
            let code = try ReadCode(on: pass)
            #expect((code == nil) == (member.message == nil))
            guard let code, let message = member.message else { continue }
            for scale in 1...3 {
                var options = TestFace.english
                options.scale = scale
                let pictures = FacePictures(images, of: pass, for: options)
                let png = try PassFace(pass, pictures, for: options).png(scale: scale)
                #expect(try code.octets(in: png, scale: Double(scale)) == message, "at \(scale)")
            }
        }
    }
}

enum RealPasses {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/corpus/passes").standardizedFileURL
    static let files: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.contains(".pkpass") }.sorted()

    /// A pass, or one of those in a bundle.
    struct Member {
        let octets: SpooledBytes
        /// The message of its barcode as Python reads it from the JSON; nil if there is none.
        let message: [UInt8]?
    }

    static func members(of file: String) throws -> [Member] {
        let path = folder.appending(path: file).path
        let lines = String(decoding: try run(["python3", "-c", program, path]), as: UTF8.self)
        return try lines.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            let octets = try #require(Data(base64Encoded: String(words[0])))
            let message = words.count > 1 ? Data(base64Encoded: String(words[1])) : nil
            return Member(octets: SpooledBytes(Array(octets)), message: message.map { Array($0) })
        }
    }

    /// A line for each pass: its path, and the octets of its barcode's message.
    private static let program = #"""
        import base64, codecs, io, json, re, sys, zipfile
        def shown(octets):
            print(base64.b64encode(octets).decode(), end=' ')
            try:
                text = zipfile.ZipFile(io.BytesIO(octets)).read('pass.json').decode('utf-8-sig')
                # One has commas too many.
                written = json.loads(re.sub(r',(\s*[}\]])', r'\1', text))
            except (KeyError, ValueError, zipfile.BadZipFile):
                return print()
            codes = written.get('barcodes') or [written.get('barcode')]
            if codes[0] and codes[0]['message']:
                encoding = codes[0].get('messageEncoding', 'iso-8859-1')
                try:
                    codecs.lookup(encoding)
                except LookupError:
                    encoding = 'iso-8859-1'
                message = codes[0]['message'].encode(encoding)
                print(base64.b64encode(message).decode(), end='')
            print()
        octets = open(sys.argv[1], 'rb').read()
        if sys.argv[1].endswith('.pkpasses'):
            bundle = zipfile.ZipFile(io.BytesIO(octets))
            for name in bundle.namelist(): shown(bundle.read(name))
        else:
            shown(octets)
        """#
}
