import Bytes
import Foundation
import Testing

@testable import Archives

/// Archives are written by Python's zipfile, which is independent of libzip.
@Suite("A ZIP archive from any tool is read within its limits")
struct ZipArchiveTests {
    @Test("entries are read as they were written")
    func roundTrip() throws {
        let archive = try ZipArchive(
            SpooledBytes(
                try zip(
                    """
                    z.writestr('stored.txt', 'hello', zipfile.ZIP_STORED)
                    z.writestr('folder/', '')
                    z.writestr('folder/deflated.txt', 'a' * 5000)
                    z.writestr('grün.txt', 'x')
                    """)))
        #expect(
            archive.entries.map(\.name) == [
                "stored.txt", "folder/", "folder/deflated.txt", "grün.txt",
            ])
        #expect(archive.entries.map(\.isDirectory) == [false, true, false, false])
        let names = ["stored.txt", "Stored.txt", "gr\u{fc}n.txt", "gru\u{308}n.txt"]
        let found = names.map { archive.contains($0) }
        #expect(found == [true, false, true, false])
        let deflated = try contents(archive, "folder/deflated.txt")
        #expect(deflated == Array(repeating: 0x61, count: 5000))
        try archive.refuseUnsafe()
    }

    @Test(
        "bytes before and after the archive are counted and ignored",
        arguments: [(7, 0), (0, 9), (70_000, 0), (0, 70_000), (5, 5)])
    func surroundings(leading: Int, trailing: Int) throws {
        let inner = try zip("z.writestr('a', 'hello')")
        let archive = try ZipArchive(
            SpooledBytes(
                Array(repeating: 0x50, count: leading) + inner
                    + Array(repeating: 0x4b, count: trailing)))
        #expect(archive.leadingCount == leading)
        #expect(archive.trailingCount == trailing)
        var narrow = ZipLimits()
        narrow.trailing = 69_999
        let fault = trailing > narrow.trailing ? ZipError.notAnArchive : nil
        #expect(error(try archive.file.array(), narrow) == fault)
        let text = try contents(archive, "a")
        #expect(text == Array("hello".utf8))
        try archive.refuseUnsafe()
    }

    @Test(
        "archives of unusual writers are read",
        arguments: [
            // Bytes before the first local header that the offsets count.
            "z.fp.write(b'#!/bin/sh'); z.start_dir = 9; z.writestr('a', 'hello')",
            // Data descriptors, as a writer to a pipe creates them.
            "z._seekable = False; z.writestr('a', 'hello')",
            // ZIP64 sizes and version-needed 45.
            "z.open('a', 'w', force_zip64=True).write(b'hello')",
            "z.writestr('a', 'hello'); z.comment = b'PK\\x05\\x06' + b'x' * 60",
            "zipfile.ZIP_FILECOUNT_LIMIT = 0; z.writestr('a', 'hello')",
            // A gap between the central directory and its end record.
            """
            z.writestr('a', 'hello'); z.close()
            b = out.getvalue(); out.seek(len(b) - 22); out.write(b'gap' + b[-22:])
            """,
        ])
    func unusual(script: String) throws {
        let archive = try ZipArchive(SpooledBytes(try zip(script)))
        let text = try contents(archive, "a")
        #expect(text == Array("hello".utf8))
        try archive.refuseUnsafe()
    }

    @Test("a name in UTF-8 is recognised without its flag")
    func unflaggedName() throws {
        let archive = try ZipArchive(
            SpooledBytes(
                try zip(
                    """
                    class Unflagged(zipfile.ZipInfo):
                        def _encodeFilenameFlags(self): return self.filename.encode(), 0
                    z.writestr(Unflagged('gr\\u00fcn.txt'), 'hello')
                    """)))
        #expect(archive.entries.map(\.name) == ["gr\u{fc}n.txt"])
        let text = try contents(archive, "gr\u{fc}n.txt")
        #expect(text == Array("hello".utf8))
        try archive.refuseUnsafe()
    }

    @Test("of two concatenated archives the last counts, and a nested one is an entry")
    func several() throws {
        let (first, second) = (try zip("z.writestr('a', '1')"), try zip("z.writestr('b', '2')"))
        let row = try ZipArchive(SpooledBytes(first + second))
        #expect(row.entries.map(\.name) == ["b"])
        #expect(row.leadingCount == first.count)
        let nested = try ZipArchive(
            SpooledBytes(
                try zip(
                    """
                    i = io.BytesIO(); y = zipfile.ZipFile(i, 'w'); y.writestr('a', '1'); y.close()
                    z.writestr('n.zip', i.getvalue(), zipfile.ZIP_STORED)
                    """)))
        #expect(nested.entries.map(\.name) == ["n.zip"])
        // Bytes that were hidden from libzip while it opened the archive are visible when it is
        // read.
        let inner = try ZipArchive(SpooledBytes(try #require(try contents(nested, "n.zip"))))
        #expect(inner.entries.map(\.name) == ["a"])
    }

    @Test("many false end-of-directory records cost almost no time", .timeLimit(.minutes(1)))
    func decoys() throws {
        // An archive with 1,500 end records of one directory with 65,535 entries: libzip 1.7.3
        // alone takes minutes.
        let archive = try ZipArchive(
            SpooledBytes(
                try zip(
                    """
                    import struct
                    c = struct.pack('<IHHHHHHIIIHHHHHII', 0x02014b50, *[0] * 9, 1, *[0] * 6) + b'a'
                    n = 65535
                    e = struct.pack('<IHHHHIIH', 0x06054b50, 0, 0, n, n, n * len(c), 31, 0)
                    z.writestr('a', c * n + e * 1500, zipfile.ZIP_STORED)
                    """)))
        #expect(archive.entries.map(\.name) == ["a"])
    }

    @Test("an archive without entries is empty")
    func empty() throws {
        let archive = try ZipArchive(SpooledBytes(try zip("pass")))
        #expect(archive.entries.isEmpty)
    }

    @Test(
        "other files are refused", arguments: ["", "hello", "<!DOCTYPE html><html></html>"])
    func noArchive(text: String) {
        #expect(error(Array(text.utf8)) == .notAnArchive)
    }

    @Test("every truncated archive is refused, and none causes a trap")
    func truncated() throws {
        let bytes = try zip("z.writestr('a', 'hello'); z.writestr('b', 'b' * 900)")
        for count in 0..<bytes.count {
            #expect(error(Array(bytes[..<count])) == (count < 4 ? .notAnArchive : .cutOff))
        }
    }

    @Test("every archive with a flipped byte is read or refused, and none causes a trap")
    func flipped() throws {
        let bytes = try zip("z.writestr('a', 'hello'); z.writestr('b', 'b' * 900)")
        for index in bytes.indices {
            for bit in [0x01, 0x80, 0xff] as [UInt8] {
                var changed = bytes
                changed[index] ^= bit
                guard let archive = try? ZipArchive(SpooledBytes(changed)) else { continue }
                for entry in archive.entries { _ = try? archive.octets(of: entry) }
                _ = try? archive.refuseUnsafe()
            }
        }
    }

    @Test(
        "unsafe names and entries are refused on request",
        arguments: [
            ("n('../a')", ZipError.unsafeName("../a", .parent)),
            ("n('a/../b')", .unsafeName("a/../b", .parent)),
            ("n('a/..')", .unsafeName("a/..", .parent)),
            ("n('a/./b')", .unsafeName("a/./b", .parent)),
            ("n('a//b')", .unsafeName("a//b", .parent)),
            ("n('/a')", .unsafeName("/a", .absolute)),
            ("n('a\\\\b')", .unsafeName("a\\b", .backslash)),
            ("n('')", .unsafeName("", .empty)),
            ("n('a'); n('a')", .duplicateName("a")),
            ("n('a'); n('a/')", .duplicateName("a")),
            ("n('a', 0o120777 << 16)", .symbolicLink(name: "a")),
            ("n('a', 0o120644 << 16)", .symbolicLink(name: "a")),
        ])
    func unsafe(script: String, expected: ZipError) throws {
        let bytes = try zip(script)
        let archive = try ZipArchive(SpooledBytes(bytes))
        #expect(throws: expected) { try archive.refuseUnsafe() }
    }

    @Test("a name with a NUL is refused on request")
    func nul() throws {
        let archive = try ZipArchive(SpooledBytes(try zip("n('a\\x00b')")))
        #expect(throws: ZipError.unsafeName("a\0b", .nul)) { try archive.refuseUnsafe() }
    }

    @Test(
        "a name with a long run of combining marks is refused on request, and broken up for display"
    )
    func marks() throws {
        let archive = try ZipArchive(SpooledBytes(try zip("n('a' + '\\u0301\\u0323' * 20 + 'b')")))
        let name = archive.entries[0].name
        let isLong = StreamSafeText.hasLongRun(name.utf8.span)
        #expect(!isLong)
        #expect(archive.entries[0].rawName.count == 2 + 40 * 2)
        #expect(throws: ZipError.unsafeName(name, .marks)) { try archive.refuseUnsafe() }
        let short = try ZipArchive(SpooledBytes(try zip("n('a' + '\\u0301\\u0323' * 15 + 'b')")))
        try short.refuseUnsafe()
    }

    @Test(
        "entries that share bytes are refused on request",
        arguments: [
            // The second entry's record points to the first one's data.
            "z.filelist[1].header_offset = z.filelist[0].header_offset",
            // The first entry overlaps the second one by one byte.
            "z.filelist[0].compress_size += 1; z.filelist[0].file_size += 1",
        ])
    func overlap(change: String) throws {
        let archive = try ZipArchive(
            SpooledBytes(
                try zip(
                    """
                    z.compression = 0; z.writestr('a', 'hello'); z.writestr('b', 'hello')
                    \(change)
                    """)))
        #expect(throws: ZipError.overlap(name: "a", other: "b")) { try archive.refuseUnsafe() }
    }

    @Test(
        "an entry whose local header has another name is refused on request",
        arguments: [
            ("z.filelist[0].filename = 'c'", "c", "a"),
            ("z.filelist[0].filename = 'A'", "A", "a"),
            ("z.filelist[1].filename = 'gr\\u00fcn'", "grün", "b"),
            // Info-ZIP's Unicode Path field, in one of the two headers.
            ("u(z.filelist[0], b'c')", "c", "a"),
            ("i = zipfile.ZipInfo('d'); u(i, b'e'); z.writestr(i, ''); i.extra = b''", "d", "e"),
        ])
    func otherName(script: String, name: String, other: String) throws {
        let archive = try ZipArchive(
            SpooledBytes(
                try zip(
                    """
                    import struct, zlib
                    def u(i, name):
                        c = zlib.crc32(i.filename.encode())
                        i.extra = struct.pack('<HHBI', 0x7075, 5 + len(name), 1, c) + name
                    z.writestr('a', 'hello'); z.writestr('b', 'hello')
                    \(script)
                    """)))
        #expect(throws: ZipError.otherName(name, other)) { try archive.refuseUnsafe() }
    }

    @Test("a Unicode Path field in both headers is accepted")
    func unicodePath() throws {
        let archive = try ZipArchive(
            SpooledBytes(
                try zip(
                    """
                    import struct, zlib
                    i = zipfile.ZipInfo('gr#U00fcn'); n = 'gr\\u00fcn'.encode()
                    i.extra = struct.pack('<HHBI', 0x7075, 5 + len(n), 1, zlib.crc32(b'gr#U00fcn')) + n
                    z.writestr(i, 'hello')
                    """)))
        #expect(archive.entries.map(\.name) == ["grün"])
        try archive.refuseUnsafe()
    }

    @Test("an encrypted entry is recognised, and refused when it is read")
    func encrypted() throws {
        let archive = try ZipArchive(
            SpooledBytes(try zip("z.writestr('a', 'hello'); z.filelist[0].flag_bits |= 1")))
        #expect(archive.entries.map(\.isEncrypted) == [true])
        #expect(throws: ZipError.encrypted(name: "a")) { try contents(archive, "a") }
        #expect(throws: ZipError.encrypted(name: "a")) { try archive.refuseUnsafe() }
    }

    @Test("limits hold at their edge")
    func limits() throws {
        let bytes = try zip("z.writestr('a', 'a' * 1000); z.writestr('b', 'b' * 1000)")
        var limits = ZipLimits()
        limits.archive = bytes.count
        limits.entries = 2
        limits.entry = 1000
        limits.total = 2000
        #expect(error(bytes, limits) == nil)
        limits.archive -= 1
        #expect(error(bytes, limits) == .archiveTooLarge(limit: limits.archive))
        limits.archive += 1
        limits.entries = 1
        #expect(error(bytes, limits) == .tooManyEntries(count: 2, limit: 1))
        limits.entries = 2
        limits.entry = 999
        #expect(error(bytes, limits) == .entryTooLarge(name: "a", limit: 999))
        limits.entry = 1000
        limits.total = 1999
        #expect(error(bytes, limits) == .totalTooLarge(limit: 1999))
        limits.total = 2000
        limits.ratioFloor = 999
        limits.ratio = 10
        #expect(error(bytes, limits) == .ratioTooHigh(name: "a", limit: 10))
    }

    @Test("a ZIP bomb stops early, whatever size it declares")
    func bomb() throws {
        let bytes = try zip("z.writestr('a', b'\\0' * (32 << 20))")
        #expect(error(bytes) == .ratioTooHigh(name: "a", limit: 250))
    }

    @Test("a wrong declared size is refused")
    func wrongSize() throws {
        let bytes = try zip("z.writestr('a', 'a' * 1000); z.filelist[0].file_size = 10")
        #expect(error(bytes) != nil)
    }

    @Test("a wrong checksum is refused")
    func wrongChecksum() throws {
        let bytes = try zip("z.writestr('a', 'hello'); z.filelist[0].CRC ^= 1")
        #expect(error(bytes) == .damagedEntry(name: "a", .libzip("CRC error")))
    }
}

private func contents(_ archive: ZipArchive, _ name: String) throws -> [UInt8]? {
    guard let entry = archive.entry(named: name) else { return nil }
    return try archive.octets(of: entry).array()
}

/// The error from opening the archive or reading its entries, with these limits from the start, and
/// with limits narrowed to these.
private func error(_ bytes: [UInt8], _ limits: ZipLimits = ZipLimits()) -> ZipError? {
    var wide = limits
    wide.archive = .max
    wide.entries = .max
    wide.entry = .max
    wide.total = .max
    wide.ratio = .max
    wide.directory = .max
    wide.trailing = 1 << 40
    let fault = error(bytes, openedWith: limits)
    #expect(error(bytes, openedWith: wide, narrowedTo: limits) == fault)
    return fault
}

private func error(
    _ bytes: [UInt8], openedWith limits: ZipLimits, narrowedTo narrow: ZipLimits? = nil
) -> ZipError? {
    do throws(ZipError) {
        let archive = try ZipArchive(SpooledBytes(bytes), limits: limits)
        if let narrow { try archive.limit(to: narrow) }
        for entry in archive.entries { _ = try archive.octets(of: entry) }
        return nil
    } catch {
        return error
    }
}

/// An archive that a Python script writes to `z`; `n` adds an entry with exactly the given name.
private func zip(_ script: String) throws -> [UInt8] {
    let program = """
        import sys, zipfile, warnings, io
        warnings.simplefilter('ignore')
        out = io.BytesIO()
        z = zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED)
        def n(name, attributes=0o644 << 16):
            i = zipfile.ZipInfo('x'); i.filename = name; i.external_attr = attributes
            z.writestr(i, 'x')
        exec(sys.stdin.read())
        z.close()
        sys.stdout.buffer.write(out.getvalue())
        """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program]
    process.environment = ["PATH": "/usr/bin:/bin:/usr/local/bin"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    try input.fileHandleForWriting.close()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return Array(bytes)
}
