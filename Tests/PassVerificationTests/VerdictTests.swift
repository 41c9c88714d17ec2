import Foundation
import PassFixtures
import PassVerification
import Testing

@Suite("Each deviation of a pass has its verdict and its reason")
struct VerdictTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let verdict: Verdict
        let reasons: [String]
        let notes: [String]
        let change: @Sendable (inout TestPass) -> Void

        init(
            _ name: String, _ verdict: Verdict, _ reasons: [String] = [], notes: [String] = [],
            _ change: @escaping @Sendable (inout TestPass) -> Void = { _ in }
        ) {
            (testDescription, self.verdict, self.reasons) = (name, verdict, reasons)
            (self.notes, self.change) = (notes, change)
        }
    }

    @Test("archive and manifest", arguments: archives + manifests)
    func contents(row: Row) throws { try judge(row) }

    @Test("signature and signing time", arguments: signatures)
    func signature(row: Row) throws { try judge(row) }

    @Test("signer and chain", arguments: signers)
    func signer(row: Row) throws { try judge(row) }

    private func judge(_ row: Row) throws {
        var pass = TestPass()
        row.change(&pass)
        let made = try pass.make()
        let verification = try PassVerifier.ofTests().verify(made.bytes)
        #expect(verification.verdict == row.verdict)
        #expect(verification.reasonCodes == row.reasons)
        let notes = verification.noteCodes.filter { $0 != "certificate-expired-since" }
        #expect(notes == row.notes)
        #expect((verification.verified == nil) == [.malformed, .tampered].contains(row.verdict))
        if let manifest = made.manifest, let signature = made.signature, row.verdict != .malformed {
            let agrees = try TestAuthority.opensslVerifies(signature, over: manifest)
            #expect(agrees == !verification.reasonCodes.contains { $0.hasPrefix("signature-") })
        }
    }

    static let archives = [
        Row("as it should be", .trusted),
        Row("stored", .trusted) {
            $0.write = "for n, b in e: z.writestr(n, b, zipfile.ZIP_STORED)"
        },
        Row("data descriptors", .trusted) {
            $0.write = "z._seekable = False\nfor n, b in e: z.writestr(n, b)"
        },
        Row("directory entries", .trusted) {
            $0.write = "z.writestr('en.lproj/', '')\nfor n, b in e: z.writestr(n, b)"
        },
        Row("bytes before the archive", .trusted, notes: ["leading-bytes"]) {
            $0.archive = { Array("MIME noise".utf8) + $0 }
        },
        Row("a list footer behind the archive", .trusted, notes: ["trailing-bytes"]) {
            $0.archive = { $0 + Array("\n___\nlist@example.com\n".utf8) }
        },
        Row("in a folder", .trusted, notes: ["top-folder"]) {
            $0.edit = "e = [('Sample.pass/' + n, b) for n, b in e]"
        },
        Row("in a folder, with a Mac's files beside it", .trusted, notes: ["top-folder"]) {
            $0.edit = """
                e = [('Ticket/' + n, b) for n, b in e]
                e += [('__MACOSX/Ticket/._pass.json', b'x'), ('.DS_Store', b'x')]
                """
        },
        Row(
            "in a folder, with another file in it", .tampered, ["file-not-listed"],
            notes: ["top-folder"]
        ) {
            $0.edit = "e = [('Ticket/' + n, b) for n, b in e] + [('Ticket/__MACOSX/x', b'x')]"
        },
        Row("in the folder .", .trusted, notes: ["top-folder"]) {
            $0.edit = "e = [('./' + n, b) for n, b in e]"
        },
        Row("in a folder whose slash begins a character", .trusted, notes: ["top-folder"]) {
            $0.files.append(("\u{301}", "x"))
            $0.edit = "e = [('a/' + n, b) for n, b in e]"
        },
        Row("in two folders", .malformed, ["pass-json-missing"]) {
            $0.edit = "e = [('a/b/' + n, b) for n, b in e]"
        },
        Row("in a folder, with a file beside it", .malformed, ["pass-json-missing"]) {
            $0.edit = "e = [('a/' + n, b) for n, b in e] + [('b', b'')]"
        },
        Row("an image with capitals", .trusted, notes: ["image-name-case"]) {
            $0.files.append(("Logo@2x.png", "a logo"))
        },
        Row("two entries of one name", .malformed, ["archive-duplicate-name"]) {
            $0.edit = "e.append(('pass.json', b'{}'))"
        },
        Row(
            "a name that looks like that of another file in the manifest", .tampered,
            ["file-missing", "file-not-listed"]
        ) {
            $0.files.append(("gr\u{FC}n", "x"))
            $0.edit = "e = [(n.replace('\\u00fc', 'u\\u0308'), b) for n, b in e]"
        },
        Row("two names that look alike", .malformed, ["archive-duplicate-name"]) {
            $0.edit = "e += [('gr\\u00fcn', b''), ('gru\\u0308n', b'')]"
        },
        Row(
            "an entry that has another name in its own header", .malformed, ["archive-name-differs"]
        ) {
            $0.edit = "e[1] = ('other', e[1][1])"
            $0.write += "\nz.filelist[1].filename = 'icon.png'"
        },
        Row("compressed with bzip2", .malformed, ["archive-unsupported-compression"]) {
            $0.write = "for n, b in e: z.writestr(n, b, zipfile.ZIP_BZIP2)"
        },
        Row("an image compressed with LZMA", .malformed, ["archive-unsupported-compression"]) {
            $0.write = """
                for n, b in e: z.writestr(n, b, zipfile.ZIP_LZMA if n == 'icon.png' else None)
                """
        },
        Row("a flag for encryption (bit 0)", .malformed, ["archive-encrypted"]) {
            $0.write += "\nz.filelist[1].flag_bits |= 1"
        },
        Row("a flag for patch data (bit 5)", .malformed, ["archive-unsupported-compression"]) {
            $0.write += "\nz.filelist[1].flag_bits |= 1 << 5"
        },
        Row("a flag for strong encryption (bit 6)", .malformed, ["archive-encrypted"]) {
            $0.write += "\nz.filelist[1].flag_bits |= 1 << 6"
        },
        Row("a flag for an encrypted directory (bit 13)", .malformed, ["archive-encrypted"]) {
            $0.write += "\nz.filelist[1].flag_bits |= 1 << 13"
        },
        Row("a flag for encryption in a local header", .malformed, ["archive-encrypted"]) {
            $0.write += changingHeader(at: 6, to: "0100")
        },
        Row("other flags in a local header", .trusted, notes: ["local-header-differs"]) {
            $0.write += changingHeader(at: 6, to: "0200")
        },
        Row("another method in a local header", .trusted, notes: ["local-header-differs"]) {
            $0.write += changingHeader(at: 8, to: "0000")
        },
        Row("another checksum in a local header", .trusted, notes: ["local-header-differs"]) {
            $0.write += changingHeader(at: 14, to: "01020304")
        },
        Row("another compressed size in a local header", .trusted, notes: ["local-header-differs"])
        {
            $0.write += changingHeader(at: 18, to: "01000000")
        },
        Row("another size in a local header", .trusted, notes: ["local-header-differs"]) {
            $0.write += changingHeader(at: 22, to: "01000000")
        },
        Row("a size of zero without a data descriptor", .trusted, notes: ["local-header-differs"]) {
            $0.write += changingHeader(at: 22, to: "00000000")
        },
        Row(
            "another size, with a data descriptor", .trusted, notes: ["local-header-differs"]
        ) {
            $0.write = "z._seekable = False\n\($0.write)\nz._seekable = True"
            $0.write += changingHeader(at: 22, to: "01000000")
        },
        Row("a hidden file", .trusted, notes: ["hidden-file"]) {
            $0.write = writing("logo.png", where: "n == 'icon.png'")
        },
        Row("a hidden pass.json before the first file", .malformed, ["archive-hidden-entry"]) {
            $0.write = writing("pass.json", where: "n == 'pass.json'")
        },
        Row("a hidden pass.json between two files", .malformed, ["archive-hidden-entry"]) {
            $0.write = writing("pass.json", where: "n == 'icon.png'")
        },
        Row("a hidden pass.json in a folder", .malformed, ["archive-hidden-entry"]) {
            $0.write = writing("Ticket/pass.json", where: "n == 'icon.png'")
        },
        Row("a hidden pass.json after the last file", .malformed, ["archive-hidden-entry"]) {
            $0.write += "\nz.writestr('pass.json', b'{}'); z.filelist.pop()"
        },
        Row("a hidden pass.json in a compressed file", .malformed, ["archive-hidden-entry"]) {
            $0.files.append(("data", localHeader))
            $0.write = "for n, b in e: z.writestr(n, b, zipfile.ZIP_DEFLATED, 0)"
        },
        Row(
            "a hidden pass.json in a file of another size", .malformed, ["archive-hidden-entry"]
        ) {
            $0.files.append(("data", localHeader))
            $0.write = "for n, b in e: z.writestr(n, b, zipfile.ZIP_STORED)"
            $0.write += changingHeader(of: 3, at: 18, to: "00000000")
        },
        Row("a hidden pass.json before the archive", .malformed, ["archive-hidden-entry"]) {
            $0.archive = { Array(localHeader.utf8) + $0 }
        },
        Row("a hidden pass.json behind a backslash", .malformed, ["archive-hidden-entry"]) {
            $0.write = writing(".\\\\pass.json", where: "n == 'icon.png'")
        },
        Row("a hidden PASS.JSON", .malformed, ["archive-hidden-entry"]) {
            $0.write = writing("PASS.JSON", where: "n == 'icon.png'")
        },
        Row("a thousand signatures of headers", .malformed, ["archive-too-many-entries"]) {
            $0.files.append(("data", String(repeating: "PK\u{3}\u{4}", count: 1001)))
            $0.write = "for n, b in e: z.writestr(n, b, zipfile.ZIP_DEFLATED, 0)"
        },
        Row("an archive as a stored file", .trusted) {
            $0.files.append(("data", localHeader))
            $0.write = "for n, b in e: z.writestr(n, b, zipfile.ZIP_STORED)"
        },
        Row("a path that leads out", .malformed, ["archive-unsafe-name"]) {
            $0.files.append(("../evil", "x"))
        },
        Row("a path from the root", .malformed, ["archive-unsafe-name"]) {
            $0.files.append(("/etc/evil", "x"))
        },
        Row("a backslash", .malformed, ["archive-unsafe-name"]) {
            $0.files.append(("a\\b", "x"))
        },
        Row("a name with 31 combining marks", .malformed, ["archive-unsafe-name"]) {
            $0.files.append(("a" + String(repeating: "\u{301}", count: 31), "x"))
        },
        Row("a name with 30 combining marks", .trusted) {
            $0.files.append(("a" + String(repeating: "\u{E48}", count: 30), "x"))
        },
        Row(
            "a path with 31 combining marks in the manifest", .malformed, ["manifest-unreadable"]
        ) {
            let run = String(repeating: "\u{5B0}", count: 31)
            $0.manifest = { $0.replacing("{", with: "{\"\(run)\": \"\",") }
        },
        Row("a serial number with 31 combining marks", .malformed, ["pass-identity-unsafe"]) {
            let run = String(repeating: "\u{94D}", count: 31)
            $0.files[0].text.replace(#""1""#, with: "\"1\(run)\"")
        },
        Row("a serial number with half of a surrogate pair", .malformed, ["pass-identity-unsafe"]) {
            $0.files[0].text.replace(#""1""#, with: #""1\ud800""#)
        },
        Row("a serial number with U+FFFD", .trusted) {
            $0.files[0].text.replace(#""1""#, with: #""1\ufffd""#)
        },
        Row("a team with 31 combining marks", .malformed, ["pass-identity-unsafe"]) {
            $0.files[0].text.replace(
                "TEAM123456", with: "TEAM123456" + String(repeating: "\u{651}", count: 31))
        },
        Row("a description with 31 combining marks", .trusted, notes: ["long-combining-run"]) {
            $0.files[0].text.replace(
                "A sample", with: "A sample" + String(repeating: "\u{301}", count: 31))
        },
        Row("a symbolic link", .malformed, ["archive-symbolic-link"]) {
            $0.files.append(("link.png", "/etc/passwd"))
            $0.write = """
                for n, b in e:
                    i = zipfile.ZipInfo(n)
                    i.external_attr = 0o120777 << 16 if n == 'link.png' else 0
                    z.writestr(i, b)
                """
        },
        Row("a bomb", .malformed, ["archive-ratio-too-high"]) {
            $0.edit = "e.append(('bomb', b'\\0' * (8 << 20)))"
        },
        Row("1,001 files", .malformed, ["archive-too-many-entries"]) {
            $0.edit = "e += [(str(i), b'') for i in range(1001)]"
        },
        Row("a damaged file", .malformed, ["archive-entry-damaged"]) {
            $0.write += "\nz.filelist[1].CRC ^= 1"
        },
        Row("no archive", .malformed, ["not-an-archive"]) {
            $0.archive = { _ in Array("<!DOCTYPE html>".utf8) }
        },
        Row("an empty archive", .malformed, ["pass-json-missing"]) { $0.edit = "e = []" },
        Row("no pass.json", .malformed, ["pass-json-missing"]) {
            $0.files.removeFirst()
        },
        Row("pass.json is a list", .malformed, ["pass-json-unreadable"]) {
            $0.files[0].text = "[]"
        },
        Row("pass.json is no JSON", .malformed, ["pass-json-unreadable"]) {
            $0.files[0].text = "hello"
        },
        Row("no serial number", .malformed, ["pass-identity-missing"]) {
            $0.files[0].text.replace("serialNumber", with: "serial")
        },
        Row("pass.json over the limit", .malformed, ["archive-entry-too-large"]) {
            $0.edit = "import os; e[0] = ('pass.json', os.urandom(9 << 20))"
        },
        Row("no signature", .unsigned, ["no-signature"]) { $0.isSigned = false },
        Row(
            "no signature, and another manifest", .unsigned, ["no-signature"],
            notes: ["file-differs"]
        ) {
            $0.isSigned = false
            $0.edit = "e[1] = ('icon.png', b'another')"
        },
        Row("neither signature nor manifest", .unsigned, ["no-signature"]) {
            $0.isSigned = false
            $0.edit = "del e[-1]"
        },
        Row("no manifest", .malformed, ["manifest-missing"]) {
            $0.edit = "e = [x for x in e if x[0] != 'manifest.json']"
        },
    ]

    static let manifests = [
        Row("a changed file", .tampered, ["file-differs"]) {
            $0.edit = "e[1] = ('icon.png', b'another')"
        },
        Row("a changed pass.json", .tampered, ["file-differs"]) {
            $0.edit = "e[0] = ('pass.json', e[0][1].replace(b'\"1\"', b'\"2\"'))"
        },
        Row("a missing file", .tampered, ["file-missing"]) { $0.edit = "del e[2]" },
        Row("an extra file", .tampered, ["file-not-listed"]) { $0.edit = "e.append(('x', b''))" },
        Row(
            "a name that only looks like the listed one", .tampered,
            ["file-missing", "file-not-listed"]
        ) {
            $0.files.append(("gr\u{fc}n", "x"))
            $0.edit = "import unicodedata as u; e = [(u.normalize('NFD', n), b) for n, b in e]"
        },
        Row("two names listed that look alike, and one file", .tampered, ["file-missing"]) {
            $0.files.append(("gr\u{fc}n", "x"))
            $0.manifest = { $0.replacing("{", with: "{\"gru\u{308}n\": \"00\",") }
        },
        Row("an extra file that looks like a folder", .tampered, ["file-not-listed"]) {
            $0.write += "\nz.writestr('folder/', b'x')"
        },
        Row("a Mac's files, not listed", .tampered, ["file-not-listed", "file-not-listed"]) {
            $0.edit = "e += [('__MACOSX/._pass.json', b''), ('.DS_Store', b'')]"
        },
        Row("a Mac's files, listed", .trusted) {
            $0.files += [("__MACOSX/._pass.json", "x"), (".DS_Store", "x")]
        },
        Row(
            "everything at once", .tampered,
            ["file-differs", "file-missing", "file-not-listed", "signature-mismatch"],
            notes: ["image-name-case", "missing-icon"]
        ) {
            $0.edit = """
                e[0] = ('pass.json', e[0][1].replace(b'"1"', b'"2"'))
                e[1] = ('Icon.png', b'')
                e = [(n, b + b' ' if n == 'manifest.json' else b) for n, b in e]
                """
        },
        Row("hashes in upper case", .trusted, notes: ["manifest-upper-case"]) {
            $0.manifest = {
                $0.replacing(#/"([0-9a-f]{40})"/#) { "\"\($0.output.1.uppercased())\"" }
            }
        },
        Row("the manifest lists itself", .trusted, notes: ["manifest-lists-itself"]) {
            $0.manifest = { $0.replacing("{", with: "{\"manifest.json\": \"\",") }
        },
        Row("the manifest lists the signature", .tampered, ["file-differs"]) {
            $0.manifest = { $0.replacing("{", with: "{\"signature\": \"\",") }
        },
        Row("a byte order mark", .trusted, notes: ["manifest-encoding"]) {
            $0.manifest = { "\u{feff}" + $0 }
        },
        Row("two hashes for one file", .malformed, ["manifest-contradiction"]) {
            $0.manifest = { $0.replacing("{", with: "{\"icon.png\": \"00\",") }
        },
        Row("two hashes under names that look alike", .malformed, ["manifest-contradiction"]) {
            $0.manifest = { $0.replacing("{", with: "{\"\\u0069con.png\": \"00\",") }
        },
        Row("a hash that is no string", .malformed, ["manifest-unreadable"]) {
            $0.manifest = { $0.replacing("{", with: "{\"x\": 1,") }
        },
        Row("an empty manifest", .malformed, ["manifest-unreadable"]) { $0.manifest = { _ in "" } },
    ]
}

/// Python code that changes a value in the local header of a file.
private func changingHeader(of file: Int = 1, at offset: Int, to value: String) -> String {
    """

    z.fp.seek(z.filelist[\(file)].header_offset + \(offset))
    z.fp.write(bytes.fromhex('\(value)'))
    """
}

/// Python code that writes all files, and another one before some of them that the directory does
/// not list.
private func writing(_ name: String, where condition: String) -> String {
    """
    for n, b in e:
        if \(condition):
            z.writestr('\(name)', b'{}')
            z.filelist.pop()
        z.writestr(n, b)
    """
}

/// A local header for pass.json (APPNOTE 4.3.7).
private let localHeader =
    "PK\u{3}\u{4}" + String(repeating: "\0", count: 22) + "\u{9}\0\0\0pass.json{}"
