import Foundation
import Testing

@testable import PassImport

@Suite("A sparse file that is larger than any disk is not read to its end")
struct SparseFilesTests {
    private static let heads: [String: Data] = [
        "hole": Data(), "zip": Data("PK\u{3}\u{4}".utf8), "json": Data("{\"a\": 1}\n".utf8),
        "gzip": Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]), "mbox": Data("From ".utf8),
        "zstd": Data([0x28, 0xB5, 0x2F, 0xFD, 0, 0x58]), "calendar": Data("BEGIN:VCARD\n".utf8),
        "utf16": Data("\u{FEFF}{\"a\": 1}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
        "macMail": Data("From: a\rTo: b\r\rc".utf8), "list": Data("<plist><array>".utf8),
        "warc": Data("WARC/1.0\r\n".utf8), "cpio": Data("070701".utf8),
        "outlook": Data([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
        "page": Data("<html>".utf8), "base64": Data("UEsDBBQA".utf8),
    ]

    @Test(
        "whatever its first bytes and its name", arguments: heads.keys.sorted(), ["500G", "4T"])
    func ends(head: String, size: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let names = [
            "pkpass", "pkpasses", "zip", "gz", "json", "jsonl", "msg", "emlx", "eml", "b64",
            "webarchive", "txt", "html", "dat",
        ].map { "file.\($0)" }
        for name in names {
            try tree.write(try #require(SparseFilesTests.heads[head]), to: name)
            try tree.shell("truncate -s \(size) \(name)")
        }
        for name in names {
            let result = try await tree.run(try MailTree.options(), [name])
            #expect(result.summary.sources == 1)
            guard name.hasSuffix("pkpass") else { continue }
            #expect(!result.lines.isEmpty, "\(name)")
        }
        var options = try MailTree.options()
        options.takesFilesForPasses = true
        _ = try await tree.run(options, names)
    }

    @Test(
        "data after a hole is read, or reported as cut off",
        arguments: ["json", "warc", "tar", "gz", "cpio", "ar"], [0, 1024])
    func after(form: String, zeros: Int) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(try MailTree.sample("trusted/generic-tram-T1"), to: "pass")
        try tree.write(SparseFilesTests.script, to: "make.py")
        try tree.shell("python3 make.py \(form) \(zeros)")
        let result = try await tree.run(try MailTree.options(), ["a.\(form)"])
        // libarchive would search the hole.
        let isRead = !["cpio", "ar"].contains(form)
        #expect(
            isRead ? result.outcomes == ["trusted"] : result.lines == ["a.\(form) damaged-archive"])
    }

    /// Writes a file whose first member is followed by that many zeros, up to the end of a block,
    /// and by a hole, after which a pass begins.
    private static let script = """
        import base64, gzip, sys
        form, zeros = sys.argv[1], int(sys.argv[2])
        size, data = 4096 - zeros, open("pass", "rb").read()

        def warc(body):
            return b"WARC/1.0\\r\\nWARC-Type: resource\\r\\nContent-Length: %d\\r\\n\\r\\n" \\
                % len(body) + body + b"\\r\\n\\r\\n"

        def tar(body):
            header = b"a".ljust(100, b"\\0") + b"0000644\\0" + b"0000000\\0" * 2 \\
                + b"%011o\\0" % len(body) + b"%011o\\0" % 0
            header = header.ljust(156, b" ") + b"0".ljust(100, b"\\0") + b"ustar\\x0000"
            header = header.ljust(512, b"\\0")
            header = header[:148] + b"%06o\\0 " % sum(header) + header[156:]
            return header + body + b"\\0" * (-len(body) % 512)

        def gz(body):
            return gzip.compress(body)

        def cpio(body):
            numbers = 0, 0o100644, 0, 0, 1, 0, len(body), 0, 0, 0, 0, 2, 0
            text = b"070701" + b"".join(b"%08x" % n for n in numbers) + b"a\\0"
            return text.ljust(112, b"\\0") + body + b"\\0" * (-len(body) % 4)

        def ar(body):
            return b"%-16s%-12d%-6d%-6d%-8s%-10d`\\n" % (b"a", 0, 0, 0, b"644", len(body)) + body

        def json(body):
            return b'{"contentBytes": "%s"}\\n' % base64.b64encode(body)

        def filler(make):
            if make == gz:
                # A member with a long name (RFC 1952, 2.3).
                return b"\\x1f\\x8b\\x08\\x08" + bytes(6) + b"a" * (size - 21) + b"\\0\\3" + bytes(9)
            if make == json:
                return b'{"a": 1}'.ljust(size)
            rest = size + 1024 - len(make(b"x" * 1024)) - (8 if make == ar else 0)
            return make(b"x" * rest)

        make = globals()[form]
        with open("a." + form, "wb") as file:
            file.write((b"!<arch>\\n" if make == ar else b"") + filler(make) + bytes(zeros))
            assert file.tell() == 4096
            file.truncate(4 << 40)
            file.seek(4 << 40)
            file.write(make(data))
        """
}
