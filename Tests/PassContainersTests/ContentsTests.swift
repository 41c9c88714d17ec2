import Archives
import Bytes
import Foundation
import Glibc
import PassDetection
import Platform
import Testing

@testable import PassContainers

/// Archives are written by Python's zipfile.
@Suite("Only members of an archive that may be passes are opened")
struct ContentsTests {
    @Test(
        "a pass is an archive with pass.json at its top, or in the only folder at its top",
        arguments: [
            "a('pass.json')", "a('icon.png'); a('pass.json'); a('x.pkpass')",
            "a('ticket/'); a('ticket/pass.json'); a('ticket/en.lproj/pass.strings')",
            "a('__MACOSX/._t'); a('t/pass.json')", "a('.DS_Store'); a('t/pass.json')",
            "a('t/pass.json'); a('__MACOSX/t/._pass.json')",
        ])
    func passes(script: String) throws {
        guard case .pass = try Contents(try zip(script), types: .builtIn) else {
            Issue.record("no pass")
            return
        }
    }

    @Test(
        "an archive with members to open is a container",
        arguments: [
            ("a('a.pkpass'); a('readme.txt'); a('b.PKPASS')", ["a.pkpass", "b.PKPASS"]),
            (
                "a('trip/'); a('trip/out/a.pkpass'); a('trip/b.pkpass')",
                ["trip/out/a.pkpass", "trip/b.pkpass"]
            ),
            (
                "a('__MACOSX/._a.pkpass'); a('._b.pkpass'); a('d/._c.pkpass'); a('d.pkpass')",
                ["d.pkpass"]
            ),
            ("a('inner.zip'); a('bundle.pkpasses')", ["inner.zip", "bundle.pkpasses"]),
            ("a('d/winmail.dat'); a('a.EML'); a('b.txt')", ["d/winmail.dat", "a.EML"]),
            ("a('ticket', b'PK\\x03\\x04'); a('other', b'hello'); a('empty', b'')", ["ticket"]),
            ("a('t/pass.json'); a('u/pass.json'); a('v.pkpass')", ["v.pkpass"]),
            (
                "a('folder.pkpass/', b''); a('../../up.pkpass'); a('a.pkpass')",
                ["../../up.pkpass", "a.pkpass"]
            ),
            (
                "a('a.pkpass'); a('a.pkpass')", ["a.pkpass", "a.pkpass"]
            ),
        ])
    func containers(script: String, names: [String]) throws {
        #expect(try members(try zip(script))?.map(\.name) == names)
    }

    @Test(
        "the name of a member is cleaned like that of an attachment before it is judged",
        arguments: [
            ("a('ticket.pkpass.')", true), (#"a(r'd\ticket.pkpass')"#, true),
            ("a('d/\"ticket.pkpass\";')", true), (#"a('d.pkpass\\', b'')"#, false),
            (#"a(r'd\._ticket.pkpass')"#, false),
        ])
    func damagedNames(script: String, isClaim: Bool) throws {
        let members = try members(try zip(script))
        #expect(members?.map(\.declaration.isClaim) == (isClaim ? [true] : nil))
    }

    @Test(
        "other archives are not containers",
        arguments: [
            "a('[Content_Types].xml'); a('_rels/.rels'); a('word/document.xml')",
            "a('META-INF/MANIFEST.MF'); a('com/example/Pass.class')",
            "a('mimetype'); a('content.xml')", "pass", "a('x/y/pass.json')",
            "a('pass.json.bak')", "a('t/pass.json'); a('u')", "a('t/'); a('pass.json/')",
        ])
    func others(script: String) throws {
        guard case .other(isArchive: true) = try Contents(try zip(script), types: .builtIn) else {
            Issue.record("not an archive of other things")
            return
        }
    }

    @Test(
        "other or broken files are not containers",
        arguments: [
            [], Array("hello".utf8), Array("PK\u{3}\u{4}".utf8),
            Array(repeating: 0x50, count: 99_999),
        ] as [[UInt8]])
    func broken(bytes: [UInt8]) throws {
        guard case .other(isArchive: false) = try Contents(SpooledBytes(bytes), types: .builtIn)
        else {
            Issue.record("an archive")
            return
        }
    }

    /// A page of memory that is mapped beyond the end of a file cannot be read.
    @Test(
        "a file that cannot be read is not taken for another kind of file",
        arguments: [
            Array("PK\u{3}\u{4}".utf8),
            // winmail.dat with an attribute of 4 KiB.
            [0x78, 0x9f, 0x3e, 0x22, 0, 0, 1, 0, 0, 0, 0, 0, 0x10, 0, 0],
            // AppleSingle with a name at 6 KiB.
            [0, 5, 0x16, 0, 0, 2, 0, 0] + Array(repeating: 0, count: 16)
                + [0, 1, 0, 0, 0, 3, 0, 0, 0x18, 0, 0, 0, 0, 5],
        ] as [[UInt8]])
    func unreadable(start: [UInt8]) throws {
        let size = Int(getpagesize())
        let file = FileManager.default.temporaryDirectory
            .appending(path: "passconduit-contents-\(UUID().uuidString)")
        try Data(start + Array(repeating: 0x21, count: size - start.count)).write(to: file)
        let descriptor = try FileDescriptor.open(file.path, O_RDONLY)
        try FileManager.default.removeItem(at: file)
        let pages = unsafe mmap(nil, 2 * size, PROT_READ, MAP_PRIVATE, descriptor.number, 0)
        descriptor.close()
        defer { unsafe munmap(pages, 2 * size) }
        let address = Int(bitPattern: pages)
        let memory = try FileDescriptor.open("/proc/self/mem", O_RDONLY)
        let octets = SpooledBytes(lookingInto: memory, size: .max)
            .slice(address..<address + 2 * size)
        #expect(throws: FileError(.read, EIO)) { _ = try Contents(octets, types: .builtIn) }
    }

    @Test("members are read unchanged, or give an error")
    func octets() throws {
        let archive = try zip(
            "a('a.pkpass', b'abc'); a('b.pkpass', b'x' * 3000000); a('c.pkpass', b'abcd')")
        let found = try #require(try members(archive))
        let limits = ContainerLimits().archive
        #expect(try found[0].octets(limit: 3, spool: SpoolPolicy()).array() == Array("abc".utf8))
        #expect(throws: ZipError.ratioTooHigh(name: "b.pkpass", limit: 250)) {
            try found[1].octets(limit: .max, spool: SpoolPolicy())
        }
        #expect(throws: ZipError.entryTooLarge(name: "c.pkpass", limit: 3)) {
            try found[2].octets(limit: 3, spool: SpoolPolicy())
        }
        #expect(found[0].costOfRefusal(.encrypted(name: ""), limits) == 0)
        #expect(
            found[1].costOfRefusal(.ratioTooHigh(name: "", limit: 250), limits) >= 1 << 20)
    }

    @Test("an archive above the limit of entries is not a container")
    func entries() throws {
        let archive = try zip("[a(f'{i}.pkpass') for i in range(11)]")
        var limits = ContainerLimits()
        limits.archive.entries = 10
        #expect(try members(archive, limits) == nil)
        limits.archive.entries = 11
        #expect(try members(archive, limits)?.count == 11)
    }

    @Test("members with a custom type count too")
    func types() throws {
        let archive = try zip("a('a.ticket'); a('b.txt')")
        let types = TypeMap([
            UniformType(
                identifier: "org.ticket", conformsTo: ["com.apple.pkpass"],
                fileExtensions: ["ticket"])
        ])
        guard case .container(let members, _) = try Contents(archive, types: types) else {
            Issue.record("no container")
            return
        }
        #expect(try members.all().map(\.name) == ["a.ticket"])
    }

    private func members(_ octets: SpooledBytes, _ limits: ContainerLimits = ContainerLimits())
        throws -> [Contents.Member]?
    {
        guard
            case .container(let members, _) = try Contents(octets, types: .builtIn, limits: limits)
        else { return nil }
        return try members.all()
    }
}

extension Contents.Members {
    fileprivate func all() throws -> [Contents.Member] {
        var all: [Contents.Member] = []
        while !isOver { all += [try next()].compactMap(\.self) }
        return all
    }
}

@Suite("Files without a known name are recognised by their content")
struct FileTypesTests {
    @Test(
        "by libmagic's types",
        arguments: [
            (Array("%PDF-1.7\n%\u{FF}\n".utf8), "application/pdf"),
            (Array("<!DOCTYPE html><html><body>x</body></html>".utf8), "text/html"),
            (
                [
                    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44,
                    0x52,
                ],
                "image/png"
            ),
            (Array("just some text\n".utf8), "text/plain"),
            (
                Array("Received: from a by b; Mon, 1 Jan 2024\nFrom: a@b\nSubject: x\n\nx\n".utf8),
                "message/rfc822"
            ),
            ([], "application/x-empty"),
        ] as [([UInt8], String)])
    func types(bytes: [UInt8], type: String) {
        #expect(FileTypes().mediaType(of: SpooledBytes(bytes)) == type)
    }

    @Test("an archive is recognised")
    func archive() throws {
        #expect(FileTypes().mediaType(of: try zip("a('x.txt')")) == "application/zip")
    }
}

/// An archive that a Python script writes; `a` adds a member.
private func zip(_ script: String) throws -> SpooledBytes {
    let program = """
        import sys, zipfile, warnings, io
        warnings.simplefilter('ignore')
        out = io.BytesIO()
        z = zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED)
        def a(name, data=b'x'): z.writestr(name, data)
        exec(sys.argv[1])
        z.close()
        sys.stdout.buffer.write(out.getvalue())
        """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program, script]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return SpooledBytes(Array(bytes))
}
