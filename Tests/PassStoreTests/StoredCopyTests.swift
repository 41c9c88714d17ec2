import Foundation
import Glibc
import PassFixtures
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("Of the copies of one version, the best is stored")
struct StoredCopyTests {
    let scratch = Scratch()

    private static let issued = Result { try Issued() }

    /// A pass as its issuer made it, and others that anybody can make of it.
    enum Copy {
        case clean, inFolder, attached, longLength, compressed
    }

    struct Issued {
        let verifier: PassVerifier
        let clean: [UInt8]
        let inFolder: [UInt8]
        let attached: [UInt8]
        let longLength: [UInt8]
        let compressed: [UInt8]
        /// The same contents at the same time by the key of a stranger.
        let stranger: [UInt8]

        init() throws {
            let issuer = try PassMaker.ofTickets()
            verifier = PassVerifier(
                anchors: try TrustAnchors(certificates: [issuer.authorityCertificate]))
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            clean = try issuer.sign(TestPass(), at: date)
            inFolder = try repacked(clean, Packaging.inFolder)
            attached = try repacked(clean, Packaging.attached)
            longLength = try repacked(clean, Packaging.longLength)
            compressed = try PassFixtures.repacked(clean)
            stranger = try PassMaker(
                type: TestPass().type, team: "A1B2C3D4E5", authority: .otherRoot
            ).sign(TestPass(), at: date)
        }

        func file(_ copy: Copy) -> [UInt8] {
            switch copy {
            case .clean: clean
            case .inFolder: inFolder
            case .attached: attached
            case .longLength: longLength
            case .compressed: compressed
            }
        }

        func incoming(_ file: [UInt8], from source: String = "/mail") throws -> IncomingPass {
            try IncomingPass(file, from: source, by: verifier)
        }
    }

    private func library() throws -> PassLibrary {
        try PassLibrary(at: scratch.url, for: .writing)
    }

    private func current() throws -> StoredVersion {
        try #require(try PassLibrary(at: scratch.url).passes().first).current
    }

    private func check(mend: Bool = false) throws -> [LibraryFinding.Code] {
        let verifier = try Self.issued.get().verifier
        return try PassLibrary.check(at: scratch.url, mend: mend) { octets in
            verifier.verify(Array(octets)).verified
        }.findings.map(\.code)
    }

    /// Lets a day pass for files that were replaced.
    private func age() throws {
        try scratch.sqlite("UPDATE replacedFiles SET replacedAt = replacedAt - 86401")
        _ = try library()
    }

    /// Expects one version, with the clean file.
    private func expectClean(_ library: PassLibrary) throws {
        let pass = try #require(try library.passes().first)
        #expect(Array(try library.octets(of: pass.current)) == (try Self.issued.get().clean))
        #expect(try library.versions(of: pass.identity).count == 1)
        #expect(pass.current.size == (try Self.issued.get().clean.count))
        #expect(!pass.current.notes.map(\.code).contains("top-folder"))
        #expect(!pass.current.notes.map(\.code).contains("signature-attached"))
    }

    @Test(
        "a better copy takes the place of the stored one, whose file is deleted a day later",
        arguments: [Copy.inFolder, .attached])
    func better(_ odd: Copy) throws {
        let issued = try Self.issued.get()
        let library = try library()
        #expect(try library.add([issued.incoming(issued.file(odd), from: "/a")]) == [.added])
        let old = try current()
        #expect(old.verdict == .trusted)
        #expect(try library.prospect(of: issued.incoming(issued.clean)).admission == .unchanged)
        #expect(try library.add([issued.incoming(issued.clean, from: "/b")]) == [.unchanged])
        try expectClean(library)
        #expect(try current().origins.map(\.source) == ["/a", "/b"])
        #expect(try current().id == old.id)
        #expect(try current().importedAt == old.importedAt)
        // A program that looked up the version before reads either file.
        #expect(Array(try library.octets(of: old)) == issued.file(odd))
        #expect(try check() == [])
        _ = try self.library()
        #expect(scratch.files("passes").count == 2)
        try age()
        let new = try current().sha256
        #expect(scratch.files("passes") == ["\(new.prefix(2))/\(new).pkpass"])
        #expect(Array(try library.octets(of: old)) == issued.clean)
        #expect(try library.contents(of: old).serialNumber == "0001")
        #expect(try library.image(.icon, of: old) == nil)
        #expect(try check() == [])
    }

    @Test(
        "a copy that is not better changes nothing but the origins, in any order",
        arguments: [
            (Copy.clean, Copy.inFolder), (.clean, .attached), (.clean, .longLength),
            (.clean, .compressed), (.longLength, .clean), (.compressed, .longLength),
            (.attached, .inFolder),
        ])
    func notBetter(_ first: Copy, _ second: Copy) throws {
        let issued = try Self.issued.get()
        let library = try library()
        _ = try library.add([issued.incoming(issued.file(first), from: "/a")])
        let again = try issued.incoming(issued.file(second), from: "/b")
        #expect(try library.add([again, again]) == [.unchanged, .unchanged])
        #expect(Array(try library.octets(of: current())) == issued.file(first))
        #expect(try current().origins.map(\.source) == ["/a", "/b"])
        #expect(scratch.files("passes").count == 1)
        #expect(try check() == [])
    }

    @Test("within one transaction, only the best copy is stored")
    func batch() throws {
        let issued = try Self.issued.get()
        let library = try library()
        let files = [issued.inFolder, issued.attached, issued.clean, issued.inFolder]
        #expect(
            try library.add(files.map { try issued.incoming($0) })
                == [.added, .unchanged, .unchanged, .unchanged])
        try expectClean(library)
        #expect(scratch.files("passes").count == 1)
        #expect(scratch.names("temporary") == [])
        try age()
        #expect(try check() == [])
    }

    @Test("bytes around the archive are not stored, and are no note on the stored file")
    func surroundings() throws {
        let issued = try Self.issued.get()
        let padded = Array("junk".utf8) + issued.clean + Array("-- \nfooter".utf8)
        for files in [[padded, issued.clean], [issued.clean, padded]] {
            let library = try PassLibrary(at: Scratch().url, for: .writing)
            #expect(
                try library.add(files.map { try issued.incoming($0) }) == [.added, .unchanged])
            let version = try #require(try library.passes().first).current
            #expect(Array(try library.octets(of: version)) == issued.clean)
            let codes = Set(version.notes.map(\.code))
            #expect(codes.isDisjoint(with: ["leading-bytes", "trailing-bytes"]))
        }
    }

    @Test("a copy with a better verdict takes the place of the stored one")
    func verdict() throws {
        let issued = try Self.issued.get()
        let library = try library()
        _ = try library.add([IncomingPass(issued.inFolder)])
        #expect(try current().verdict == .untrusted)
        let admitted = try library.admit([issued.incoming(issued.clean)])
        #expect(admitted.map(\.admission) == [.updated])
        try expectClean(library)
        #expect(try current().verdict == .trusted)
        #expect(try library.add([IncomingPass(issued.inFolder)]) == [.unchanged])
        try expectClean(library)
        #expect(try current().verdict == .trusted)
    }

    @Test("without the authority, no copy takes the place of a trusted one")
    func worseVerdict() throws {
        let issued = try Self.issued.get()
        let library = try library()
        _ = try library.add([issued.incoming(issued.inFolder)])
        #expect(try library.add([IncomingPass(issued.clean)]) == [.unchanged])
        #expect(Array(try library.octets(of: current())) == issued.inFolder)
        #expect(try current().verdict == .trusted)
    }

    @Test("a stranger's signature of the same contents makes another version", arguments: [0, 1])
    func stranger(_ place: Int) throws {
        let issued = try Self.issued.get()
        let library = try library()
        var files = [issued.stranger, issued.inFolder]
        if place == 1 { files.reverse() }
        _ = try library.add(files.map { try issued.incoming($0) })
        let pass = try #require(try library.passes().first)
        #expect(Array(try library.octets(of: pass.current)) == issued.inFolder)
        #expect(try library.versions(of: pass.identity).map(\.verdict) == [.trusted, .untrusted])
        // Neither is deleted when the index is rebuilt.
        for isReadable in [true, false] {
            try damageIndex(isReadable: isReadable)
            #expect(try check(mend: true) == [.damagedIndex])
            let verdicts = try PassLibrary(at: scratch.url).versions(of: pass.identity)
                .map(\.verdict)
            #expect(verdicts == [.trusted, .untrusted])
            #expect(
                Array(try PassLibrary(at: scratch.url).octets(of: current())) == issued.inFolder)
            try age()
            #expect(scratch.files("passes").count == 2)
        }
    }

    @Test("a replaced file that is not a pass any more is set aside")
    func setAside() throws {
        let issued = try Self.issued.get()
        let library = try library()
        let odd = try issued.incoming(issued.inFolder)
        _ = try library.add([odd])
        let file = library.file(of: try current())
        _ = try library.add([issued.incoming(issued.clean)])
        try Data("x".utf8).write(to: file)
        try age()
        #expect(scratch.files("damaged") == ["\(odd.pass.sha256).pkpass"])
        #expect(scratch.files("passes").count == 1)
        #expect(try check() == [])
    }

    @Test(
        "a stored file that is changed or missing is a copy of nothing", arguments: [false, true])
    func unreadable(isMissing: Bool) throws {
        let issued = try Self.issued.get()
        let library = try library()
        _ = try library.add([issued.incoming(issued.inFolder)])
        let file = library.file(of: try current())
        try Data("x".utf8).write(to: file)
        if isMissing { try FileManager.default.removeItem(at: file) }
        #expect(try library.add([issued.incoming(issued.clean)]) == [.updated])
        #expect(Array(try library.octets(of: current())) == issued.clean)
    }

    @Test("a stored file that cannot be read holds up no mail, and stays where it is")
    func failure() throws {
        let issued = try Self.issued.get()
        let library = try library()
        _ = try library.add([issued.incoming(issued.inFolder)])
        let file = library.file(of: try current())
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(try library.add([issued.incoming(issued.clean)]) == [.updated])
        #expect(Array(try library.octets(of: current())) == issued.clean)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("if the better file is lost, the replaced one is added again")
    func lost() throws {
        let issued = try Self.issued.get()
        let library = try library()
        _ = try library.add([issued.incoming(issued.inFolder)])
        _ = try library.add([issued.incoming(issued.clean)])
        try FileManager.default.removeItem(at: library.file(of: try current()))
        #expect(try check(mend: true) == [.missingFile, .orphanFile])
        #expect(Array(try library.octets(of: current())) == issued.inFolder)
        #expect(try check() == [])
    }

    @Test("an import that was killed leaves the old copy in place, and a check the best one")
    func killed() throws {
        let issued = try Self.issued.get()
        let library = try library()
        let (odd, clean) = (try issued.incoming(issued.inFolder), try issued.incoming(issued.clean))
        for (stored, left) in [(odd, clean), (clean, odd)] {
            _ = try library.add([stored])
            let origins = try current().origins
            try leave(left)
            #expect(try current().sha256 == stored.pass.sha256)
            #expect(try check() == [.orphanFile])
            #expect(try check(mend: true) == [.orphanFile])
            #expect(try check() == [])
            try expectClean(library)
            #expect(try current().origins == origins)
            try age()
            #expect(scratch.files("passes").count == 1)
            _ = try library.remove(stored.pass.pass.identity)
        }
        // The next import of either removes what is left as well.
        _ = try library.add([clean])
        try leave(odd)
        _ = try library.add([odd])
        #expect(try check() == [])
        try age()
        #expect(scratch.files("passes").count == 1)
    }

    private func leave(_ incoming: IncomingPass) throws {
        let issued = try Self.issued.get()
        let files = [issued.clean, issued.inFolder]
        let folder = scratch.url.appending(path: "passes/\(incoming.pass.sha256.prefix(2))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files where try issued.incoming(file).pass.sha256 == incoming.pass.sha256 {
            try Data(file).write(to: folder.appending(path: "\(incoming.pass.sha256).pkpass"))
        }
    }

    @Test(
        "a rebuilt index names the best of the copies, with all known origins",
        arguments: [(0, true), (0, false), (1, true), (1, false)])
    func rebuilt(order: Int, isReadable: Bool) throws {
        let issued = try Self.issued.get()
        let library = try library()
        let (odd, clean) = (
            try issued.incoming(issued.inFolder, from: "/a"),
            try issued.incoming(issued.clean, from: "/b")
        )
        _ = try library.add(order == 0 ? [odd] : [clean])
        if order == 0 { _ = try library.add([clean]) } else { try leave(odd) }
        let origins = try current().origins
        try damageIndex(isReadable: isReadable)
        let verifier = issued.verifier
        let findings = try PassLibrary.check(at: scratch.url, mend: true) { octets in
            verifier.verify(Array(octets)).verified
        }.findings
        #expect(findings.map(\.code) == [.damagedIndex])
        #expect(findings.compactMap(\.rebuilt?.unknownOrigins) == [isReadable ? 0 : 1])
        try expectClean(PassLibrary(at: scratch.url))
        if isReadable { #expect(try current().origins == origins) }
        #expect(try check() == [])
        try age()
        #expect(scratch.files("passes").count == 1)
        #expect(scratch.files("damaged").isEmpty)
        #expect(try check() == [])
    }

    private func damageIndex(isReadable: Bool) throws {
        if isReadable {
            return try scratch.sqlite("UPDATE versions SET verdict = 'perhaps'")
        }
        try Data("no index".utf8).write(to: scratch.url.appending(path: "library.sqlite"))
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(
                at: scratch.url.appending(path: "library.sqlite\(suffix)"))
        }
    }

    @Test("removing a pass deletes replaced files too, also if it was read before")
    func removed() throws {
        let issued = try Self.issued.get()
        let library = try library()
        _ = try library.add([issued.incoming(issued.inFolder)])
        let passes = try library.passes()
        _ = try library.add([issued.incoming(issued.clean)])
        #expect(try library.remove(passes, asOf: .now).isEmpty)
        #expect(scratch.files("passes").isEmpty)
        #expect(try library.count() == 0)
    }
}
