import Foundation
import Glibc
import PassFixtures
import Platform
import Testing

@testable import PassVerification

@Suite("The trust folder stores trusted certificates until they are removed")
final class TrustFolderTests {
    private let directory = FileManager.default.temporaryDirectory
        .appending(path: "passconduit-trust-\(UUID().uuidString)")
    private var folder: TrustFolder { TrustFolder(directory) }

    deinit { try? FileManager.default.removeItem(at: directory) }

    @Test("a file in place of the folder is an error, with the reason of the system")
    func notFolder() throws {
        try Data().write(to: directory)
        #expect(throws: TrustFolderError.folder(FolderFault(FileError(.read, ENOTDIR)))) {
            try folder.contents()
        }
    }

    @Test(
        "a list of pass types applies to a renewed certificate of the same key, and in whatever case its name ends",
        arguments: ["for", "FOR", "For"])
    func renewed(ending: String) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let root = try TestAuthority.certificate("root")
        let renewed = try run(
            [
                "faketime", "-f", "2021-01-01 00:00:00", "openssl", "x509", "-in", root.path,
                "-signkey", root.keyPath, "-days", "8000",
            ],
            input: [])
        try Data(try TestAuthority.pem("root")).write(to: directory.appending(path: "a.pem"))
        let list = directory.appending(path: "a.pem.\(ending)")
        try Data("pass.com.example.other\n".utf8).write(to: list)
        try Data(renewed).write(to: directory.appending(path: "b.pem"))
        try Data(try TestAuthority.pem("stranger")).write(to: directory.appending(path: "c.pem"))
        let made = try TestPass().make().bytes
        let verdict = { PassVerifier(anchors: try self.folder.anchors()).verify(made).verdict }

        let patterns = [try PassTypePattern("pass.com.example.other")]
        #expect(try folder.contents().kept.map(\.anchor.passTypes) == [patterns, patterns, nil])
        #expect(try verdict() == .untrusted)
        // Also if the list cannot be read.
        try Data("?".utf8).write(to: list)
        #expect(try folder.contents().kept.map(\.file) == ["b.pem", "c.pem"])
        #expect(try verdict() == .untrusted)
        // The limits remain when the old certificate is removed.
        try Data("pass.com.example.other\n".utf8).write(to: list)
        #expect(try folder.remove("a.pem").count == 1)
        #expect(try folder.contents().kept.map(\.anchor.passTypes) == [patterns, nil])
        #expect(try verdict() == .untrusted)
        // Until the user adds it for all.
        _ = try folder.add(renewed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 2)
        #expect(try verdict() == .trusted)
    }

    @Test("a missing folder is empty")
    func absent() throws {
        #expect(try folder.contents() == TrustFolder(directory).contents())
        #expect(try folder.contents().kept.isEmpty)
        #expect(try folder.anchors() == .apple)
        #expect(throws: TrustFolderError.unknown("root.pem")) { try folder.remove("root.pem") }
    }

    @Test("an added certificate is trusted until it is removed, and is stored once")
    func addAndRemove() throws {
        let made = try TestPass().make()
        #expect(
            PassVerifier(anchors: try folder.anchors()).verify(made.bytes).verdict == .untrusted)
        let kept = try folder.add(TestAuthority.pem("root"))
        #expect(try folder.add(TestAuthority.pem("root")) == kept)
        #expect(try folder.contents().kept == kept)
        #expect(PassVerifier(anchors: try folder.anchors()).verify(made.bytes).verdict == .trusted)

        let fingerprint = try #require(kept.first).anchor.fingerprint
        let three = String(fingerprint.prefix(3))
        #expect(throws: TrustFolderError.unknown(three)) { try folder.remove(three) }
        #expect(try folder.remove(String(fingerprint.prefix(4)).uppercased()) == kept)
        #expect(try folder.contents().kept.isEmpty)
    }

    @Test(
        "the user's own files are read, and a file of several certificates is removed only by name")
    func foreign() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let both = try TestAuthority.pem("root") + TestAuthority.pem("stranger")
        try Data(both).write(to: directory.appending(path: "both.crt"))
        try Data("hello".utf8).write(to: directory.appending(path: "notes.txt"))
        try FileManager.default.createDirectory(
            at: directory.appending(path: "old"), withIntermediateDirectories: true)
        let contents = try folder.contents()
        #expect(contents.kept.map(\.anchor.name) == ["Sample Root", "Stranger"])
        #expect(contents.unusable.map(\.file) == ["notes.txt", "old"])
        let fingerprint = try #require(contents.kept.first).anchor.fingerprint
        #expect(throws: TrustFolderError.shared("both.crt")) { try folder.remove(fingerprint) }
        #expect(try folder.remove("both.crt").count == 2)
        #expect(try folder.contents().kept.isEmpty)
    }

    @Test("other files are not added")
    func refused() throws {
        #expect(throws: TrustFolderError.certificate(.notACertificate)) {
            try folder.add(Array("hello".utf8))
        }
    }

    @Test("pass types are stored beside the certificate, and replaced when it is added again")
    func limited() throws {
        let types = try ["pass.com.example.*", "pass.org.example"].map { try PassTypePattern($0) }
        let root = try TestAuthority.pem("root")
        let kept = try folder.add(root, for: types)
        #expect(kept.map(\.anchor.passTypes) == [types])
        #expect(try folder.contents().kept == kept)
        let file = try #require(kept.first).file
        #expect(try names() == [file, file + ".for"])
        #expect(try text(of: file + ".for") == "pass.com.example.*\npass.org.example\n")

        let other = [try PassTypePattern("pass.com.example.other")]
        #expect(try folder.add(root, for: other).map(\.anchor.passTypes) == [other])
        #expect(try folder.contents().kept.map(\.anchor.passTypes) == [other])
        #expect(try folder.add(root).map(\.anchor.passTypes) == [nil])
        #expect(try folder.contents().kept.map(\.anchor.passTypes) == [nil])
        #expect(try names() == [file])

        _ = try folder.add(root, for: types)
        #expect(try folder.remove(file) == kept)
        #expect(try names() == [])
    }

    @Test("a certificate whose limits cannot be opened is not used", arguments: ["link", "FIFO"])
    func unopened(kind: String) throws {
        let root = try TestAuthority.pem("root")
        let file = try #require(try folder.add(root).first?.file)
        let list = directory.appending(path: file + ".for").path(percentEncoded: false)
        if kind == "FIFO" {
            let made = unsafe mkfifo(list, 0o600)
            #expect(made == 0)
        } else {
            let made = unsafe symlink("/nowhere", list)
            #expect(made == 0)
        }
        #expect(try folder.anchors() == .apple)
        #expect(try folder.contents().unusable.map(\.error) == [.notPatterns])
    }

    @Test(
        "a file that cannot be read is told from one that contains no certificate",
        arguments: [
            ("x.pem", "folder", false), ("x.pem", "text", false), ("x.pem", "FIFO", false),
            ("x.pem", "/nowhere", true), ("x.pem", "x.pem", true),
            ("root.pem.for", "/nowhere", true), ("root.pem.for", "text", false),
        ])
    func unreadable(name: String, content: String, isFault: Bool) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let root = Data(try TestAuthority.pem("root"))
        try root.write(to: directory.appending(path: "root.pem"))
        let path = directory.appending(path: name).path(percentEncoded: false)
        switch content {
        case "folder": unsafe #expect(mkdir(path, 0) == 0)
        case "FIFO": unsafe #expect(mkfifo(path, 0o600) == 0)
        case "text": try Data("text".utf8).write(to: URL(filePath: path))
        // A link to nowhere or to itself, since root may read every file.
        default: unsafe #expect(symlink(content, path) == 0)
        }
        let unusable = try folder.contents().unusable
        #expect(unusable.map(\.file) == [name])
        #expect(unusable.map { $0.fault != nil } == [isFault])
    }

    @Test("a copy of a limited certificate does not lift its limits")
    func copied() throws {
        let root = try TestAuthority.pem("root")
        let pattern = try PassTypePattern("pass.com.example.*")
        let file = try #require(try folder.add(root, for: [pattern]).first?.file)
        try FileManager.default.copyItem(
            at: directory.appending(path: file), to: directory.appending(path: file + "~"))
        #expect(try folder.contents().kept.map(\.anchor.passTypes) == [[pattern]])
    }

    @Test(
        "without a readable list of pass types, a limited certificate is not trusted",
        arguments: ["", "\n", "com.example\n", "pass.com.example.*\n*\n", "\u{0}", nil])
    func damagedLimits(text: String?) throws {
        let root = try TestAuthority.pem("root")
        let kept = try folder.add(root, for: [try PassTypePattern("pass.com.example.*")])
        let file = try #require(kept.first).file
        let list = directory.appending(path: file + ".for")
        if let text {
            try Data(text.utf8).write(to: list)
        } else {
            try FileManager.default.removeItem(at: list)
            try FileManager.default.createDirectory(at: list, withIntermediateDirectories: false)
        }
        let contents = try folder.contents()
        #expect(contents.kept.isEmpty)
        #expect(contents.unusable.map(\.file).contains(file + ".for"))
        #expect(contents.unusable.map(\.error).contains(.notPatterns))
        #expect(try folder.anchors() == .apple)
        guard text != nil else { return }
        // It can be added again, and removed.
        #expect(try folder.add(root).map(\.anchor.passTypes) == [nil])
        #expect(try folder.contents().kept.count == 1)
        try Data("?".utf8).write(to: list)
        #expect(try folder.remove(file).count == 1)
        #expect(try names() == [])
    }

    @Test("pass types without a certificate are reported, and apply to none that is added later")
    func strayLimits() throws {
        let root = try TestAuthority.pem("root")
        let file = try #require(try folder.add(root).first).file
        _ = try folder.remove(file)
        try Data("pass.com.example.other\n".utf8).write(
            to: directory.appending(path: file + ".for"))
        let contents = try folder.contents()
        #expect(
            contents.unusable == [
                TrustFolder.Unusable(file: file + ".for", error: .noCertificateForPatterns)
            ])
        #expect(try folder.add(root).map(\.anchor.passTypes) == [nil])
        #expect(try folder.contents().kept.map(\.anchor.passTypes) == [nil])
        #expect(try names() == [file])
    }

    @Test("pass types of the user's own files apply to all certificates in them")
    func foreignLimits() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let both = try TestAuthority.pem("root") + TestAuthority.pem("stranger")
        try Data(both).write(to: directory.appending(path: "both.crt"))
        let types = [try PassTypePattern("pass.com.example.other")]
        #expect(throws: TrustFolderError.shared("both.crt")) {
            try folder.add(TestAuthority.pem("root"), for: types)
        }
        #expect(try folder.contents().kept.map(\.anchor.passTypes) == [nil, nil])
        try Data("pass.com.example.other".utf8).write(
            to: directory.appending(path: "both.crt.for"))
        #expect(try folder.contents().kept.map(\.anchor.passTypes) == [types, types])
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path()).sorted()
    }

    private func text(of file: String) throws -> String {
        try String(contentsOf: directory.appending(path: file), encoding: .utf8)
    }
}
