import Foundation
import MailSource
import PassVerification
import Testing

@testable import PassImport

@Suite("The whole files in a damaged ZIP archive are found, and the damage is reported")
struct DamagedArchiveTests {
    /// `zip` makes an archive of the passes `a`, `b`, and `c`.
    private static let python = """
        import io, sys, zipfile
        class Pipe(io.BytesIO):
            def seekable(self): return False
            def tell(self): raise OSError
            def seek(self, *_): raise OSError
        passes = {name: open(name + '.pkpass', 'rb').read() for name in 'abc'}
        def zip(names='abc', method=8, pipe=False, end='.pkpass'):
            out = Pipe() if pipe else io.BytesIO()
            with zipfile.ZipFile(out, 'w', method) as z:
                for name in names: z.writestr(name + end, passes[name])
            return out.getvalue()
        def of(files, method=0):
            out = io.BytesIO()
            with zipfile.ZipFile(out, 'w', method) as z:
                for name in files: z.writestr(name, files[name])
            return out.getvalue()
        def cut(data, count=1): return data[:-count]
        def mail(data, name='x.zip'):
            import base64
            return (b'Subject: s\\nContent-Type: application/octet-stream; name=' + name.encode()
                + b'\\nContent-Transfer-Encoding: base64\\n\\n' + base64.encodebytes(data))
        open('x.zip', 'wb').write(LINE)
        """

    @Test(
        "in a file",
        arguments: [
            ("cut(zip())", ["!a", "!b", "!c"], 1), ("cut(zip(method=0))", ["!a", "!b", "!c"], 1),
            ("cut(zip(), 600)", ["!a", "!b"], 1), ("cut(zip(method=0), 600)", ["!a", "!b"], 1),
            ("cut(zip(pipe=True), 600)", ["!a", "!b"], 1),
            ("cut(zip(method=0, pipe=True), 600)", ["!a", "!b"], 1),
            ("cut(zip(method=0), 4000)", ["!a"], 1), ("cut(zip(), 8000)", [], 1),
            // Two archives after one another, and more of them.
            ("zip('ab') + zip('c')", ["!a", "!b", "!c"], 0),
            ("zip('a', 0) + zip('b', 0) + zip('c', 0)", ["!a", "!b", "!c"], 0),
            ("passes['a'] + passes['b']", ["", "#2"], 0),
            ("cut(zip('ab'), 600) + zip('c')", ["!a", "!c"], 1),
            ("cut(zip('ab', 0), 600) + passes['c']", ["!a", ""], 1),
            // An archive in a damaged one.
            (
                "cut(of({'i.zip': zip('ab'), 'c.pkpass': passes['c']}), 600)",
                ["!i.zip!a", "!i.zip!b"], 1
            ),
            ("cut(of({'i.zip': zip('ab', 0) + b'more' * 500}), 300)", ["!a", "!b"], 1),
            // A damaged directory.
            ("zip().replace(b'PK\\1\\2', b'PK\\1\\3')", ["!a", "!b", "!c"], 1),
            // Documents are not walked.
            ("cut(of({'[Content_Types].xml': b'x', 'a.pkpass': passes['a']}))", [], 0),
            ("cut(of({'META-INF/MANIFEST.MF': b'x', 'a.pkpass': passes['a']}))", [], 0),
            ("cut(of({'mimetype': b'x', 'a.pkpass': passes['a']}))", [], 0),
            ("b'PK\\3\\4'", [], 0), ("b'PK\\3\\4' + b'x' * 10000", [], 0),
        ] as [(String, [String], Int)])
    func found(line: String, parts: [String], problems: Int) async throws {
        let read = try await read(line, as: "x.zip")
        #expect(read.parts == parts.map { $0.contains("!") ? "\($0).pkpass" : $0 })
        #expect(read.problems == [String](repeating: "damaged-archive", count: problems))
    }

    @Test("in a mail, where the archive may be cut with the mail")
    func attached() async throws {
        let read = try await read("mail(zip(method=0))[:-900]", as: "x.eml")
        #expect(read.parts == ["1!a.pkpass", "1!b.pkpass"])
        #expect(read.problems == ["damaged-archive"])
    }

    @Test(
        "what claims to be a pass and holds none is one malformed pass",
        arguments: ["cut(passes['a'])", "cut(passes['a'], 900)", "cut(zip('a', 0), 900)"])
    func claim(line: String) async throws {
        let read = try await read(line, as: "x.pkpass")
        #expect(read.lines == ["x.pkpass  x.pkpass malformed"])
        let attached = try await self.read("mail(\(line), 'x.pkpass')", as: "x.eml")
        #expect(attached.lines == ["x.eml 0@0 1 x.pkpass malformed"])
    }

    @Test("a bundle that is cut gives its whole passes")
    func bundle() async throws {
        let read = try await read("cut(zip(method=0), 600)", as: "x.pkpasses")
        #expect(read.parts == ["!a.pkpass", "!b.pkpass"])
        #expect(read.problems == ["damaged-archive"])
    }

    /// Each row: commands that make files in the folder `box`, and the problems there.
    @Test(
        "damage in folders is reported if it concerns mail or passes",
        arguments: [
            ("head -c 700 all.tar > x.tar; head -c 90 all.tar.gz > x.gz", 0),
            ("head -c 700 all.tar > x.tar; tar cf y.tar x.tar; rm x.tar", 0),
            ("head -c 90 all.tar.gz > x.mbox.gz", 1),
            ("tar cf x.tar a.eml b; head -c 1700 x.tar > y.tar; rm x.tar", 1),
            ("tar cf x.tar a.pkpass b; head -c 1700 x.tar > y.tar; rm x.tar", 1),
        ])
    func folder(commands: String, problems: Int) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.shell(
            "mkdir box; head -c 5000 /dev/urandom > b; printf 'Subject: x\\n\\ny\\n' > a.eml; "
                + "head -c 40 /dev/zero > a.pkpass; tar cf all.tar b; gzip -k all.tar; "
                + "mkdir made; cp a.eml a.pkpass b all.tar* made; cd made; \(commands); "
                + "rm -f a.eml a.pkpass b all.tar*; mv * ../box")
        var codes: [String] = []
        let input = Input.path(Path(tree.url.appending(path: "box").path))
        _ = try await PassImport.run([input], try MailTree.options()) { event in
            if case .problem(let problem) = event { codes.append(problem.code) }
        }
        #expect(codes.count == problems, "\(codes)")
    }

    private struct Found {
        /// The locations of passes; trusted ones have the size of one of the three files.
        var parts: [String] = []
        var problems: [String] = []
        var lines: [String] = []
    }

    private func read(_ line: String, as name: String) async throws -> Found {
        let tree = try MailTree()
        defer { tree.remove() }
        var letters: [Int: String] = [:]
        for (letter, sample) in [
            ("a", "boarding-pass-air-gate-4"), ("b", "generic-gym"), ("c", "generic-tram-T1"),
        ] {
            let pass = try MailTree.sample("trusted/\(sample)")
            try tree.write(pass, to: "\(letter).pkpass")
            letters[pass.count] = letter
        }
        let python = DamagedArchiveTests.python.replacing("LINE", with: line)
        try tree.write(python, to: "make.py")
        try tree.shell("python3 make.py && rm make.py ?.pkpass && mv x.zip y && mv y \(name)")
        var found = Found()
        let file = Input.path(Path(tree.url.appending(path: name).path))
        _ = try await PassImport.run([file], try MailTree.options()) { event in
            switch event {
            case .pass(let pass):
                let verdict = pass.verification.verdict
                if verdict == .trusted { #expect(letters[pass.verification.size] != nil) }
                found.parts.append(verdict == .trusted ? pass.part : "\(verdict) \(pass.part)")
            case .problem(let problem): found.problems.append(problem.code)
            default: break
            }
        }
        found.lines = try await tree.run(try MailTree.options()).lines
        return found
    }
}
