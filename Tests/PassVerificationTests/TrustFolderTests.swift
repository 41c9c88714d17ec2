import Foundation
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
}
