import Foundation
import MailSource
import PassContainers
import PassVerification
import Testing

@testable import PassImport

@Suite("A folder with the files of a pass is a pass, also in an archive")
struct UnpackedPassTests {
    private static let gym = "trusted/generic-gym"

    /// A tree with the files of a sample in this folder.
    private func tree(_ folder: String = "Cards/gym.pkpass") throws -> MailTree {
        let tree = try MailTree()
        try tree.write(try MailTree.sample(UnpackedPassTests.gym), to: "gym.zip")
        try tree.shell("python3 -m zipfile -e gym.zip '\(folder)'; rm gym.zip")
        return tree
    }

    private func digests(_ tree: MailTree, _ name: String) async throws -> [String] {
        var options = try MailTree.options()
        options.keepsPasses = true
        var digests: [String] = []
        let input = Input.path(.init(tree.url.appendingPathComponent(name).path))
        _ = try await PassImport.run([input], options) { event in
            guard case .pass(let found) = event else { return }
            digests.append(found.verification.verified?.sha256 ?? "none")
        }
        return digests
    }

    @Test(
        "it needs a signature unless its name ends with .pkpass",
        arguments: [
            ("gym.pkpass", "", ["gym.pkpass  gym.pkpass trusted"]),
            ("gym", "", ["gym  gym trusted"]),
            ("gym", "rm gym/signature", []),
            ("gym.pkpass", "rm gym.pkpass/signature", ["gym.pkpass  gym.pkpass unsigned"]),
            ("gym.pkpass", "rm gym.pkpass/manifest.json", []),
            ("gym.pkpass", "echo >> gym.pkpass/icon.png", ["gym.pkpass  gym.pkpass tampered"]),
            ("gym.pkpass", "rm gym.pkpass/icon.png", ["gym.pkpass  gym.pkpass tampered"]),
            (
                "gym.pkpass", "mkdir gym.pkpass/xx.lproj; echo > gym.pkpass/xx.lproj/pass.strings",
                ["gym.pkpass  gym.pkpass tampered"]
            ),
            (
                "gym.pkpass", "mkdir gym.pkpass/xx.lproj; echo > gym.pkpass/xx.lproj/.DS_Store",
                ["gym.pkpass  gym.pkpass trusted"]
            ),
        ] as [(String, String, [String])])
    func folders(name: String, change: String, expected: [String]) async throws {
        let tree = try tree(name)
        defer { tree.remove() }
        try tree.shell(change)
        #expect(try await tree.run(try MailTree.options()).lines == expected)
    }

    @Test(
        "symbolic links in it are refused",
        arguments: ["icon.png", "pass.json", "manifest.json", "signature", "other", "xx.lproj"])
    func links(name: String) async throws {
        let tree = try tree()
        defer { tree.remove() }
        try tree.shell("cd Cards/gym.pkpass; touch \(name); mv \(name) ../x; ln -s ../x \(name)")
        try tree.shell("tar cf a.tar Cards; tar czf b.tgz Cards")
        try tree.shell("zip -qry c.zip Cards")
        for source in ["Cards", "a.tar", "b.tgz", "c.zip"] {
            let outcomes = try await tree.run(try MailTree.options(), [source]).outcomes
            #expect(outcomes == ["malformed"], "\(source)")
        }
    }

    @Test("a symbolic link is refused after thousands of others")
    func manyLinks() async throws {
        let tree = try tree()
        defer { tree.remove() }
        let script = """
            import tarfile
            with tarfile.open('a.tar', 'w') as made:
                for number in range(5000):
                    link = tarfile.TarInfo(f'links/{number}')
                    link.type, link.linkname = tarfile.SYMTYPE, 'x'
                    made.addfile(link)
                made.add('Cards')
            """
        try tree.write(script, to: "tar.py")
        try tree.shell("mv Cards/gym.pkpass/pass.json x; ln -s ../../x Cards/gym.pkpass/pass.json")
        try tree.shell("python3 tar.py")
        #expect(try await tree.run(try MailTree.options(), ["a.tar"]).outcomes == ["malformed"])
    }

    @Test("a hard link in it is a file")
    func hardLink() async throws {
        let tree = try tree()
        defer { tree.remove() }
        try tree.shell("ln Cards/gym.pkpass/icon.png outside.png")
        #expect(try await tree.run(try MailTree.options()).outcomes == ["trusted"])
    }

    @Test("it has the same digest on disk and in each archive, whatever the order of its files")
    func digest() async throws {
        let tree = try tree()
        defer { tree.remove() }
        try tree.shell(
            """
            cp -r Cards/gym.pkpass Cards/copy.pkpass; touch -d 2001-01-01 Cards/copy.pkpass/*
            chmod 600 Cards/copy.pkpass/*
            tar cf a.tar Cards; tar czf b.tgz Cards; python3 -m zipfile -c c.zip Cards
            find Cards -type f | sort -r | tar cf d.tar -T -
            find Cards -type f | sed 's,.*/\\(.*\\),\\1 &,' | sort | cut -d' ' -f2- | tar cf e.tar -T -
            tar cf f.tar -C Cards/gym.pkpass .
            """)
        let expected = try await digests(tree, "Cards")
        #expect(expected.count == 2 && Set(expected).count == 1 && expected[0] != "none")
        for archive in ["a.tar", "b.tgz", "c.zip", "d.tar", "e.tar"] {
            #expect(try await digests(tree, archive) == expected, "\(archive)")
        }
        #expect(try await digests(tree, "f.tar") == [expected[0]])
    }

    @Test("its files are not read again, and other files in it are")
    func others() async throws {
        let tree = try tree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        try tree.write(MailTree.message("other", pass), to: "Cards/gym.pkpass/other.eml")
        try tree.write(pass, to: "Cards/gym.pkpass/deeper/other.pkpass")
        let result = try await tree.run(try MailTree.options())
        #expect(result.outcomes == ["trusted", "trusted", "trusted"])
        #expect(result.summary.sources == 3)
        for archive in ["tar cf a.x Cards", "python3 -m zipfile -c a.x Cards"] {
            try tree.shell("rm -f a.x; \(archive)")
            let result = try await tree.run(try MailTree.options(), ["a.x"])
            #expect(result.outcomes == ["trusted", "trusted", "trusted"], "\(archive)")
        }
    }

    @Test(
        "a stray pass.json hides no passes beside it",
        arguments: [
            ("echo {} > pass.json; zip -q x.pkpasses *.*", ["trusted", "trusted"]),
            ("echo {} > pass.json; zip -q x.zip *.*", ["trusted", "trusted"]),
            ("cp gym/pass.json .; zip -q x.pkpasses *.*", ["trusted", "trusted"]),
            (
                "mkdir in; cp *.pkpass gym/pass.json in; zip -qr x.pkpasses in",
                ["trusted", "trusted"]
            ),
            (
                "cp gym/pass.json .; zip -q y.pkpasses *.*; rm pass.json; zip -q x.zip y.pkpasses",
                ["trusted", "trusted"]
            ),
            ("cp gym/pass.json .; tar cf x.tar *.*", ["trusted", "trusted"]),
            ("echo {} > pass.json; mkdir in; mv *.* in; mv in x.mail", ["trusted", "trusted"]),
            // An unpacked pass in the bundle, and not the same one again.
            ("cp gym/pass.json .; zip -qr x.zip pass.json gym", ["trusted"]),
            // The files of a pass that is not intact.
            (
                "cp a.pkpass x.pkpass; zip -q x.pkpass b.pkpass; rm a.pkpass",
                ["tampered", "trusted"]
            ),
            (
                "cp a.pkpass x.pkpass; zip -qd x.pkpass signature; zip -q x.pkpass a.pkpass",
                ["unsigned", "trusted"]
            ),
            (
                "mv gym x.pkpass; cp a.pkpass x.pkpass; sed -i 's/{/{\"a.pkpass\": \"0\",/' "
                    + "x.pkpass/manifest.json", ["tampered", "trusted"]
            ),
            // Without other passes, it is still reported.
            ("echo {} > pass.json; zip -q x.pkpasses pass.json", ["malformed"]),
            ("cp gym/pass.json .; zip -q x.pkpasses pass.json", ["unsigned"]),
            ("echo {} > pass.json; echo no > c.eml; zip -q x.pkpass *.json *.eml", ["malformed"]),
        ] as [(String, [String])])
    func stray(script: String, expected: [String]) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(try MailTree.sample(UnpackedPassTests.gym), to: "a.pkpass")
        try tree.write(
            try MailTree.sample("trusted/boarding-pass-air-gate-4"), to: "b.pkpass")
        try tree.shell("python3 -m zipfile -e a.pkpass gym; \(script)")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: tree.url.path)
                .first { $0.hasPrefix("x.") })
        #expect(try await tree.run(try MailTree.options(), [name]).outcomes == expected)
        // In a mail as well, where the file is one.
        let file = tree.url.appending(path: name)
        guard let bytes = try? Data(contentsOf: file), !name.hasSuffix(".tar") else { return }
        try tree.write(MailTree.message("x", bytes), to: "mail.eml")
        #expect(try await tree.run(try MailTree.options(), ["mail.eml"]).outcomes == expected)
    }

    @Test("a stored pass with the same manifest and signature is unchanged")
    func unchanged() async throws {
        let run = try Rerun()
        defer { run.remove() }
        try run.tree.write(try MailTree.sample(UnpackedPassTests.gym), to: "mail/gym.pkpass")
        #expect(try await run.again().outcomes == ["added"])
        let stored = try run.passes
        try run.tree.shell("python3 -m zipfile -e mail/gym.pkpass mail/unpacked.pkpass")
        #expect(try await run.again().outcomes == ["unchanged"])
        #expect(try run.passes == stored)
    }

    @Test(
        "it is judged again only after a change of its files",
        arguments: [
            "echo >> icon.png", "cp icon.png x; touch -r icon.png x; mv x icon.png", "rm icon.png",
            "touch new", "mkdir new.lproj", "ln -sf manifest.json icon.png", "touch .",
            "mv icon.png logo.png", "mkdir -p a/b", "touch -d 2020-01-01 pass.json",
            "printf x | dd of=icon.png conv=notrunc; touch -d 2020-01-01 icon.png",
        ])
    func recorded(edit: String) async throws {
        let run = try Rerun()
        defer { run.remove() }
        try run.tree.write(try MailTree.sample(UnpackedPassTests.gym), to: "gym.zip")
        try run.tree.shell("python3 -m zipfile -e gym.zip mail/gym.pkpass")
        #expect(try await run.again().outcomes == ["added"])
        let second = try await run.again()
        #expect(second.lines == [] && second.summary.unchanged == 1)
        try run.tree.shell("cd mail/gym.pkpass; \(edit)")
        let whole = try await run.whole().result
        #expect(try await run.again().found.count == whole.found.count)
        #expect(whole.found.count == 1)
        #expect(try await run.again().lines == [])
    }

    @Test("it is judged again if the user names it")
    func named() async throws {
        let run = try Rerun()
        defer { run.remove() }
        try run.tree.write(try MailTree.sample(UnpackedPassTests.gym), to: "gym.zip")
        try run.tree.shell("python3 -m zipfile -e gym.zip mail/gym.pkpass")
        for _ in 1...2 {
            #expect(try await run.tree.run(run.options, ["mail/gym.pkpass"]).lines.count == 1)
        }
    }

    @Test("folders that exceed the space for them are judged early or reported")
    func limit() async throws {
        let tree = try tree()
        defer { tree.remove() }
        try tree.shell("for i in 1 2 3; do cp -r Cards/gym.pkpass Cards/$i.pkpass; done")
        try tree.shell("tar cf a.tar --sort=name Cards")
        var options = try MailTree.options()
        for (limit, outcome) in [(20_000, "trusted"), (3_000, "limit-inflated")] {
            options.containers.unpackedPasses = limit
            let outcomes = try await tree.run(options, ["a.tar"]).outcomes
            #expect(outcomes.count >= 4 && Set(outcomes) == [outcome])
        }
        // A folder that is not whole yet is not judged as if it were.
        try tree.shell(
            """
            for i in 1 2 3; do head -c 9000 /dev/zero > $i.png; done
            tar cf b.tar Cards/gym.pkpass/pass.json Cards/gym.pkpass/manifest.json \
                Cards/gym.pkpass/signature [123].png Cards/gym.pkpass/*.png
            rm [123].png
            """)
        options.containers.unpackedPasses = 20_000
        #expect(try await tree.run(options, ["b.tar"]).outcomes == ["limit-inflated"])
        var limits = VerificationLimits()
        limits.entries = 3
        options = try MailTree.options()
        options.verifier = PassVerifier(anchors: options.verifier.anchors, limits: limits)
        for source in ["Cards", "a.tar"] {
            let outcomes = try await tree.run(options, [source]).outcomes
            #expect(outcomes == Array(repeating: "limit-archive", count: 4))
        }
    }
}
