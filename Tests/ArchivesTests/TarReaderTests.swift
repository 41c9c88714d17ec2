import Bytes
import Testing

@testable import Archives

/// Archives are made by GNU tar and by Python's tarfile.
@Suite("Files are read from tar archives that other tools wrote")
struct TarReaderTests {
    @Test(
        "files of all sizes are read, and everything else is skipped",
        arguments: ["v7", "oldgnu", "gnu", "ustar", "posix"])
    func formats(format: String) throws {
        let archive = try shell(
            """
            mkdir -p mail/cur mail/empty
            for size in 0 1 511 512 513 70000; do
                head -c $size /dev/zero | tr '\\0' x > mail/cur/$size
            done
            ln -s 1 mail/cur/symbolic
            ln mail/cur/1 mail/cur/hard
            [ \(format) = v7 ] || mkfifo mail/cur/pipe
            tar --format=\(format) --sort=name -cf - mail
            """)
        let expected = [0, 1, 511, 512, 513, 70000].map { size in
            TarFiles.File(
                name: "mail/cur/\(size)", size: size,
                bytes: [UInt8](repeating: UInt8(ascii: "x"), count: size))
        }
        let isArchive = TarHeader(archive.span) != nil
        #expect(isArchive)
        for source in [archive, archive.dropLast(1024)].map(Array.init) {
            let read = try TarFiles(source)
            #expect(read.files == expected)
            #expect(read.problems.isEmpty)
            for (step, pieces) in [(1, 4096), (7, 7), (511, 1), (1 << 20, 1 << 20)] {
                let dribble = ByteSource(stream: Dribble(source, step: step))
                #expect(try TarFiles(dribble, pieces: pieces) == read)
            }
        }
    }

    @Test(
        "names of any length",
        arguments: [
            ("ustar", [99, 100, 101, 150, 220]), ("gnu", [99, 100, 101, 250, 3000]),
            ("oldgnu", [101, 250]), ("posix", [99, 101, 250, 3000]),
        ])
    func longNames(format: String, lengths: [Int]) throws {
        for length in lengths {
            // Use folders of 40 characters, since ustar splits a name at one of them.
            var name = String(
                repeating: String(repeating: "d", count: 39) + "/", count: length / 40)
            name += String(repeating: "f", count: length - name.utf8.count)
            if name.hasSuffix("/") { name = name.dropLast() + "f" }
            let archive = try shell(
                """
                mkdir -p $(dirname \(name))
                echo hello > \(name)
                tar --format=\(format) -cf - \(name)
                """)
            let read = try TarFiles(archive)
            #expect(
                read.files == [.init(name: name, size: 6, bytes: Array("hello\n".utf8))])
            #expect(read.problems.isEmpty)
        }
    }

    @Test("names in any script", arguments: ["gnu", "posix"])
    func unicode(format: String) throws {
        let archive = try shell("echo > 'Grüße 邮件'; tar --format=\(format) -cf - *")
        #expect(try TarFiles(archive).names == ["Grüße 邮件"])
    }

    @Test("archives written by Python", arguments: ["USTAR", "GNU", "PAX"])
    func python(format: String) throws {
        let archive = try pythonTar(
            """
            add('a'); add('f', type=tarfile.DIRTYPE, size=0); add('f/ü' + 'b' * 90, 513)
            add('link', type=tarfile.SYMTYPE, size=0, linkname='l' * 99); add('c', 0)
            """, format: format)
        let read = try TarFiles(archive)
        #expect(read.names == ["a", "f/ü" + String(repeating: "b", count: 90), "c"])
        #expect(read.files.map(\.size) == [5, 513, 0])
        #expect(read.problems.isEmpty)
    }

    @Test("sizes with more digits than the header has", arguments: ["GNU", "PAX"])
    func largeSizes(format: String) throws {
        let size = 9 << 30
        let archive = try pythonTar("add('first'); add('large', \(size))", format: format)
        let read = try TarFiles(archive)
        #expect(read.names == ["first", "large"])
        #expect(read.files.map(\.size) == [5, size])
        // The archive ends after the header of this file.
        #expect(read.problems == [.truncated])
    }

    @Test(
        "attributes that do not affect file contents are ignored",
        arguments: [("USTAR", 7, 20), ("GNU", 1 << 31, 200), ("PAX", 1 << 31, 200)])
    func attributes(format: String, owner: Int, linkLength: Int) throws {
        let archive = try pythonTar(
            """
            t.pax_headers = {'comment': 'all files'}
            add('a', mtime=1.5, uid=\(owner), uname='ü' * 10)
            add('b', type=tarfile.LNKTYPE, size=0, linkname='l' * \(linkLength))
            add('c')
            """, format: format)
        let read = try TarFiles(archive)
        #expect(read.names == ["a", "c"])
        #expect(read.problems.isEmpty)
    }

    @Test("concatenated archives are read as one")
    func row() throws {
        let archive = try pythonTar("add('a')") + pythonTar("add('b')", format: "PAX")
        #expect(try TarFiles(archive).names == ["a", "b"])
        #expect(try TarFiles(archive).problems.isEmpty)
    }

    @Test("an empty archive has no files")
    func nothing() throws {
        for archive in [[], try pythonTar("pass"), [UInt8](repeating: 0, count: 700)] {
            let isArchive = TarHeader(archive.span) != nil
            #expect(!isArchive)
            let read = try TarFiles(archive)
            #expect(read.files.isEmpty)
            #expect(read.problems.isEmpty)
        }
    }

    @Test("each symbolic link is told, however many follow one another")
    func links() throws {
        let archive = try pythonTar(
            "for n in range(2500): add(str(n), 0, type=tarfile.SYMTYPE, linkname='x')\n"
                + "add('a', 3)")
        let read = try TarFiles(archive)
        #expect(read.links == (0..<2500).map(String.init))
        #expect(read.names == ["a"])
    }

    @Test("files may be skipped", arguments: [nil, 100, 1 << 20])
    func skipping(step: Int?) throws {
        let archive = try pythonTar("add('a', 3); add('b', 200000); add('c', 512); add('d', 4)")
        let reader = try ArchiveReader(
            step.map { ByteSource(stream: Dribble(archive, step: $0)) }
                ?? ByteSource(SpooledBytes(archive)), .tar)
        var names: [String] = []
        var bodies: [ByteSource] = []
        while case .file(let file) = try reader.next() {
            names.append(file.name)
            bodies.append(ByteSource(stream: file.body))
            // A part of the second file.
            if file.name == "b" { #expect(try bodies[1].prefix(600).count == 600) }
        }
        #expect(names == ["a", "b", "c", "d"])
        // Skipped bodies are no longer available.
        for body in bodies { #expect(try body.prefix(10).isEmpty) }
    }
}
