import Bytes
import Testing

@testable import Archives

@Suite("A damaged tar archive yields its intact files and reports the damage")
struct TarDamageTests {
    @Test("truncated at any offset", arguments: ["GNU", "PAX"])
    func truncated(format: String) throws {
        let archive = try pythonTar(
            "add('a', 600); add('\(String(repeating: "b", count: 120))', 70)", format: format)
        let whole = try TarFiles(archive)
        // The last body ends in the last block before the zeros.
        let end = try #require(archive.lastIndex { $0 != 0 })
        for count in stride(from: 1, to: archive.count, by: 37) {
            for isStream in [false, true] {
                let part = Array(archive[..<count])
                let read = try TarFiles(
                    isStream
                        ? ByteSource(stream: Dribble(part, step: 100))
                        : ByteSource(SpooledBytes(part)))
                for (file, expected) in zip(read.files, whole.files) {
                    #expect(file.name == expected.name)
                    #expect(file.bytes == Array(expected.bytes[..<file.bytes.count]))
                }
                let isWhole = read.files.map(\.bytes) == whole.files.map(\.bytes)
                #expect(isWhole == (count > end))
                // An archive may end between two entries, since some writers omit the final zeros.
                let block = (end / 512 + 1) * 512
                if count < block { #expect(read.problems == [.truncated] || count % 512 == 0) }
                if count >= block { #expect(read.problems.isEmpty) }
            }
        }
    }

    @Test("a corrupted header byte", arguments: ["USTAR", "GNU", "PAX"])
    func header(format: String) throws {
        let archive = try pythonTar("add('a'); add('b', 2000); add('c')", format: format)
        for place in stride(from: 1024, to: 1536, by: 13) {
            var damaged = archive
            damaged[place] ^= 0x41
            let read = try TarFiles(damaged)
            #expect(read.names == ["a", "c"], "at \(place)")
            #expect(read.problems == [.damagedHeader(offset: 1024)], "at \(place)")
            #expect(try TarFiles(ByteSource(stream: Dribble(damaged, step: 999))) == read)
        }
    }

    @Test(
        "invalid entries are reported, and the files around them are read",
        arguments: [
            (
                "add('s', 1000, type=b'S'); add('b')", "GNU",
                [.sparse(name: "s")]
            ),
            (
                "add('s', 1000, pax_headers={'GNU.sparse.major': '1', 'GNU.sparse.name': 'S'}); add('b')",
                "PAX", [.sparse(name: "S")]
            ),
            ("add('m', 1000, type=b'M'); add('b')", "GNU", [.unknownType(name: "m", type: 77)]),
            ("add('d', 1000, type=b'D'); add('b')", "GNU", []),
            (
                "add('x', 3, type=b'x'); add('b')", "USTAR",
                [.damagedAttributes(offset: 1024)]
            ),
            (
                "out.write(b'y' * 1024); t.offset += 1024; add('b')", "USTAR",
                [.damagedHeader(offset: 1024)]
            ),
        ] as [(String, String, [ArchiveError])])
    func refused(lines: String, format: String, problems: [ArchiveError]) throws {
        let read = try TarFiles(try pythonTar("add('a'); \(lines)", format: format))
        #expect(read.names == ["a", "b"])
        #expect(read.problems == problems)
    }

    /// Makes two sparse files, of which one has more runs of bytes than a header has room for and
    /// the other ends in a hole, and a plain one.
    private static let sparse = """
        for run in $(seq 40); do
            echo data | dd of=sparse bs=1 seek=$((run << 13)) conv=notrunc status=none
        done
        echo hello > end; truncate -s 128K end; echo hello > z;
        """

    @Test(
        "sparse files are read with their holes",
        arguments: [
            "tar --format=oldgnu", "tar --format=posix", "tar --format=posix --sparse-version=0.1",
            "tar --format=posix --sparse-version=0.0",
        ])
    func sparse(command: String) throws {
        let archive = try shell("\(TarDamageTests.sparse) \(command) --sparse -cf - sparse end z")
        var content = [UInt8](repeating: 0, count: 40 << 13 + 5)
        for run in 1...40 {
            content.replaceSubrange(run << 13..<run << 13 + 5, with: Array("data\n".utf8))
        }
        let end = Array("hello\n".utf8)
        let filled = end + [UInt8](repeating: 0, count: 128 << 10 - 6)
        let files = [
            TarFiles.File(name: "sparse", size: content.count, bytes: content),
            TarFiles.File(name: "end", size: 128 << 10, bytes: filled),
            TarFiles.File(name: "z", size: 6, bytes: end),
        ]
        let read = try TarFiles(archive)
        #expect(read.files == files)
        #expect(read.problems.isEmpty)
        #expect(try TarFiles(ByteSource(SpooledBytes(archive)), pieces: 999) == read)
        #expect(try TarFiles(ByteSource(stream: Dribble(archive, step: 999))) == read)
        // Every end causes a problem, and none a trap.
        for count in stride(from: 512, to: archive.count - 10_240, by: 20_000) {
            _ = try TarFiles(Array(archive[..<count]))
        }
    }

    @Test(
        "a hole is read up to the limits",
        arguments: [
            (10, 1 << 40, ArchiveError.ratioTooHigh(limit: 10)),
            (500, 100_000, .totalTooLarge(limit: 100_000)),
        ])
    func hole(ratio: Int, total: Int, error: ArchiveError) throws {
        var limits = ArchiveLimits()
        (limits.ratio, limits.ratioFloor, limits.total) = (ratio, 1 << 16, total)
        let archive = try shell("\(TarDamageTests.sparse) tar --sparse -cf - end z")
        let read = try TarFiles(archive, limits: limits)
        #expect(read.names == ["end", "z"])
        #expect(read.problems == [error])
    }

    @Test(
        "the map of a sparse file has runs in order, within the file, of the stored size",
        arguments: [
            ([0, 5], 5, 5, true), ([], 9, 0, true), ([1, 2, 3, 4], 9, 6, true),
            ([9, 0], 9, 0, true), ([0, 5], 4, 5, false), ([0, 5], 9, 4, false),
            ([0, 5, 3, 1], 9, 6, false), ([0], 9, 0, false), ([10, 0], 9, 0, false),
            ([0, 1 << 60, 1 << 60, 1 << 60], 1 << 60, 9, false),
        ] as [([Int], Int, Int, Bool)])
    func map(numbers: [Int], size: Int, stored: Int, isValid: Bool) {
        #expect((SparseMap(numbers, size: size, stored: stored) != nil) == isValid)
    }

    @Test(
        "invalid extended attributes",
        arguments: [
            "5 a=\nx", "99 path=x\n", "0 path=x\n", "10 path=xyz\n", "x", "10path=x\n", "4 \n\n",
            "3 \n", "18446744073709551616 path=x\n", "8 size=\n", "10 size=x\n",
            "29 size=99999999999999999999\n", " 9 path=x\n", "-9 path=x\n", "9 path=x\n\0",
        ])
    func records(text: String) throws {
        var attributes = TarAttributes()
        let isWell = attributes.take(records: Array(text.utf8))
        #expect(!isWell)
    }

    @Test("valid extended attributes")
    func goodRecords() throws {
        var attributes = TarAttributes()
        let text = "9 path=x\n11 size=12\n12 comment=\n13 path=a=\nb\n"
        let isWell = attributes.take(records: Array(text.utf8))
        #expect(isWell)
        #expect(attributes.name == Array("a=\nb".utf8))
        #expect(attributes.size == 12)
    }

    @Test("a long name is accepted up to the limit", arguments: ["GNU", "PAX"])
    func limit(format: String) throws {
        let name = String(repeating: "n", count: 3000)
        let archive = try pythonTar("add('\(name)'); add('b')", format: format)
        var limits = ArchiveLimits()
        // The name in GNU's format has a final NUL; the record of pax includes its length and key.
        limits.attributes = format == "GNU" ? 3001 : 3011
        #expect(try TarFiles(archive, limits: limits).names == [name, "b"])
        limits.attributes -= 1
        let read = try TarFiles(archive, limits: limits)
        #expect(read.files.count == 2)
        #expect(read.names[1] == "b")
        #expect(
            read.problems == [.attributesTooLarge(offset: 0, limit: limits.attributes)])
    }

    @Test("random headers with a valid checksum end in bounded time, without a trap")
    func hostile() throws {
        let archive = try pythonTar(
            "add('a', 600); add('\(String(repeating: "b", count: 120))', 70); add('c', 3)")
        var state: UInt64 = 7
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        // The offsets of the headers of the first file, of the long name, and of its file.
        let headers = [0, 1536, 2560]
        for _ in 0..<3000 {
            var damaged = archive
            let header = headers[random(3)]
            let fields = [0..<100, 124..<136, 156..<157, 257..<265, 345..<500, 482..<483]
            for place in fields[random(fields.count)] where random(2) == 0 {
                damaged[header + place] = UInt8(random(256))
            }
            let sum = damaged[header..<header + 512].reduce(0) { $0 + Int($1) }
            let old = damaged[header + 148..<header + 156].reduce(0) { $0 + Int($1) }
            let octal = String(sum - old + 8 * 32, radix: 8)
            let field = String(repeating: "0", count: 6 - octal.count) + octal + "\0 "
            damaged.replaceSubrange(header + 148..<header + 156, with: Array(field.utf8))
            let read = try TarFiles(damaged)
            #expect(read.files.count <= 4)
            #expect(read.files.allSatisfy { $0.bytes.count <= damaged.count })
            #expect(try TarFiles(ByteSource(stream: Dribble(damaged, step: 777))) == read)
        }
    }
}
