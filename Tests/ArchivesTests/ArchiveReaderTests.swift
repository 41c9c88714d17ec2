import Bytes
import Foundation
import Platform
import Testing

@testable import Archives

@Suite("Archives of other formats are read sequentially, within limits")
struct ArchiveReaderTests {
    private static let content = Array("a ticket\n".utf8)
    private static let long = [UInt8](repeating: 7, count: 300_000)
    /// Makes two files, and an archive of them.
    private static let files =
        "printf 'a ticket\\n' > Grüße; head -c 300000 /dev/zero | tr '\\0' '\\7' > long; "

    private static let commands: [(ArchiveFormat, String)] = [
        (.sevenZip, "7z a -bd -bso0 x.7z Grüße long; cat x.7z"),
        (.sevenZip, "7z a -bd -bso0 -ms=off -m0=bzip2 x.7z Grüße long; cat x.7z"),
        (.sevenZip, "7z a -bd -bso0 -m0=PPMd -mhc=off x.7z Grüße long; cat x.7z"),
        (.sevenZip, "7z a -bd -bso0 -m0=copy x.7z Grüße long; cat x.7z"),
        (.cpio, "printf 'Grüße\\nlong\\n' | bsdcpio -o --quiet -H newc"),
        (.cpio, "printf 'Grüße\\nlong\\n' | bsdcpio -o --quiet -H odc"),
        (.cpio, "printf 'Grüße\\nlong\\n' | bsdcpio -o --quiet -H bin"),
        (.ar, "ar rc x.a Grüße long; cat x.a"),
        (.iso, "genisoimage -quiet -R -o x Grüße long; cat x"),
        (.iso, "genisoimage -quiet -J -input-charset utf-8 -o x Grüße long; cat x"),
        (.iso, "genisoimage -quiet -R -z -o x Grüße long; cat x"),
        (.zip, "python3 -m zipfile -c x Grüße long; cat x"),
    ]

    @Test("the files in them", arguments: commands)
    func files(format: ArchiveFormat, command: String) throws {
        let archive = try shell(ArchiveReaderTests.files + command)
        let read = try ReadArchive(archive, format)
        #expect(Set(read.files.keys) == ["Grüße", "long"])
        #expect(read.files["Grüße"] == ArchiveReaderTests.content)
        #expect(read.files["long"] == ArchiveReaderTests.long)
        #expect(read.problems.isEmpty)
        guard !format.needsSeeking else { return }
        for step in [1000, 70_000] {
            let stream = ByteSource(stream: Dribble(archive, step: step))
            #expect(try ReadArchive(stream, format) == read)
        }
    }

    @Test("a library of object code with Microsoft's long names is no damaged archive")
    func library() throws {
        func member(_ name: String, _ body: [UInt8]) -> [UInt8] {
            func field(_ text: String, _ count: Int) -> String {
                text.padding(toLength: count, withPad: " ", startingAt: 0)
            }
            let header =
                field(name, 16) + field("1577836800", 12) + field("", 12) + field("0", 8)
                + field("\(body.count)", 10) + "`\n"
            return Array(header.utf8) + body + (body.count.isMultiple(of: 2) ? [] : [0x0A])
        }
        // [PE-COFF], "Archive (Library) File Format": two linker members, and names that end in NUL.
        let names = Array("a_long_name_of_an_object.obj\0another_long_name.obj\0".utf8)
        let archive =
            FileSignature.ar.magic + member("/", [0, 0, 0, 1, 0, 0, 0, 9, 0x61, 0])
            + member("/", [1, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0x61, 0])
            + member("//", names) + member("/0", [0x64, 0x86, 0, 0])
        #expect(try ReadArchive(archive, .ar).problems.isEmpty)
        // The first member of a library is the table of its symbols.
        let other =
            FileSignature.ar.magic + member("a", [1, 2]) + member("/", [0, 0, 0, 0])
            + Array("damage that is no header, but as long as one is, which is 60 bytes".utf8)
        #expect(!(try ReadArchive(other, .ar).problems.isEmpty))
    }

    @Test("encrypted files are reported once, also if their names are encrypted")
    func encrypted() throws {
        for option in ["-psecret", "-psecret -mhe=on", "-psecret -m0=copy"] {
            let archive = try shell(
                ArchiveReaderTests.files + "7z a -bd -bso0 \(option) x.7z Grüße long; cat x.7z")
            let read = try ReadArchive(archive, .sevenZip)
            #expect(read.files.isEmpty && read.problems.isEmpty)
            #expect(read.encrypted == 1, "\(option)")
        }
    }

    @Test(
        "a 7z archive that would take much memory is refused before libarchive reads it",
        arguments: [
            ("dictionary", .memoryTooLarge(limit: 288 << 20)),
            ("dictionaryOfLZMA2", .memoryTooLarge(limit: 288 << 20)),
            ("model", .memoryTooLarge(limit: 288 << 20)),
            ("headerDictionary", .memoryTooLarge(limit: 288 << 20)),
            ("files", .tooManyEntries(count: 20_000_000, limit: 1_000_000)),
            ("encodedFiles", .tooManyEntries(count: 40_000_000, limit: 1_000_000)),
            ("encodedDirectory", .directoryTooLarge(limit: 64 << 20)),
            ("encodedTwice", .damaged(.sevenZip, reason: nil)),
        ] as [(String, ArchiveError)])
    func hostile(form: String, error: ArchiveError) throws {
        let read = try ReadArchive(try hostileArchive(form), .sevenZip)
        #expect(read.files.isEmpty)
        #expect(read.problems == [error])
    }

    @Test("decompressed bytes are limited and counted, also if they are skipped")
    func total() throws {
        let bomb = try hostileArchive("bomb")
        #expect(try ReadArchive(try hostileArchive("intact"), .sevenZip).files.count == 1)
        var limits = ArchiveLimits()
        limits.total = 1 << 20
        for skips in [false, true] {
            let read = try ReadArchive(bomb, .sevenZip, limits: limits, skips: skips)
            #expect(read.problems == [.totalTooLarge(limit: 1 << 20)])
        }
        limits = ArchiveLimits()
        (limits.ratio, limits.ratioFloor) = (100, 1 << 20)
        let read = try ReadArchive(bomb, .sevenZip, limits: limits, skips: true)
        #expect(read.problems == [.ratioTooHigh(limit: 100)])
        #expect(read.skipped >= 1 << 20 && read.skipped <= 2 << 20)
        #expect(try ReadArchive(bomb, .sevenZip, skips: true).skipped == 64 << 20)
    }

    @Test("cut anywhere, an archive gives only whole files", .tags(.repeats), arguments: commands)
    func truncated(format: ArchiveFormat, command: String) throws {
        let archive = try shell(ArchiveReaderTests.files + command)
        let isWhole = ProcessInfo.processInfo.environment["PASSCONDUIT_ENDURANCE"] != nil
        let step = max(archive.count / (isWhole ? 2000 : 40), 1)
        for count in stride(from: 0, to: archive.count, by: step) {
            let read = try ReadArchive(Array(archive[..<count]), format)
            for (name, bytes) in read.files {
                let expected =
                    name == "long" ? ArchiveReaderTests.long : ArchiveReaderTests.content
                #expect(bytes == expected, "\(name) in \(count) bytes")
            }
        }
    }

    @Test("garbage after a magic number ends at once", .tags(.repeats))
    func garbage() throws {
        let isWhole = ProcessInfo.processInfo.environment["PASSCONDUIT_ENDURANCE"] != nil
        var generator = Generator(state: 1)
        let starts: [(ArchiveFormat, [UInt8])] = [
            (.sevenZip, FileSignature.sevenZip.magic), (.rar, FileSignature.rar.magic + [0]),
            (.rar, FileSignature.rar.magic + [1, 0]), (.ar, FileSignature.ar.magic),
            (.cpio, FileSignature.cpio.magic + [0x31]), (.cpio, [0xC7, 0x71]),
            (.zip, FileSignature.zip.magic),
            (.iso, [UInt8](repeating: 0, count: 32_769) + FileSignature.iso.magic),
        ]
        for (format, start) in starts {
            for _ in 0..<(isWhole ? 100 : 10) {
                let rest = (0..<100_000).map { _ in
                    UInt8.random(in: .min ... .max, using: &generator)
                }
                let read = try ReadArchive(start + rest, format)
                #expect(read.files.values.allSatisfy { $0.count <= rest.count })
            }
        }
    }

    private func hostileArchive(_ form: String) throws -> [UInt8] {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "hostile_7z.py").path
        return try shell("python3 -B '\(script)' \(form)")
    }
}

extension Tag {
    /// Marks tests that repeat one thing many times: `make test` runs a part of the rounds, `make
    /// endurance` all.
    @Tag static var repeats: Self
}

private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

/// The contents of an archive; only files that were read completely.
private struct ReadArchive: Equatable {
    var files: [String: [UInt8]] = [:]
    var problems: [ArchiveError] = []
    var encrypted = 0
    var skipped = 0

    init(
        _ source: ByteSource, _ format: ArchiveFormat, limits: ArchiveLimits = ArchiveLimits(),
        skips: Bool = false
    ) throws {
        let reader = try ArchiveReader(source, format, limits: limits)
        while let entry = try reader.next() {
            skipped += reader.takeSkipped()
            switch entry {
            case .problem(let error): problems.append(error)
            case .encrypted: encrypted += 1
            case .links: break
            case .file(let file):
                guard !skips else { continue }
                let bytes = try ByteSource(stream: file.body)
                    .octets(limit: 1 << 30, SpoolPolicy())?.array()
                if reader.isFileWhole { files[file.name] = bytes }
            }
        }
        skipped += reader.takeSkipped()
    }

    init(
        _ archive: [UInt8], _ format: ArchiveFormat, limits: ArchiveLimits = ArchiveLimits(),
        skips: Bool = false
    ) throws {
        try self.init(ByteSource(SpooledBytes(archive)), format, limits: limits, skips: skips)
    }
}
