import Foundation
import PassFixtures
import Testing

@testable import PassStore
@testable import PassVerification

@Suite("The library records who vouches for a pass, and Apple takes precedence")
struct AnchorsTests {
    let scratch = Scratch()

    /// Two versions by an authority of the user, signed a day apart.
    private static let issued = Result { try Issued() }

    struct Issued {
        let verifier: PassVerifier
        let anchor: TrustAnchor
        let earlier: IncomingPass
        let later: IncomingPass
        /// Another file with the signed contents of the earlier version.
        let repacked: IncomingPass

        init() throws {
            let issuer = try PassMaker.ofTickets()
            let anchors = try TrustAnchors(certificates: [issuer.authorityCertificate])
            let verifier = PassVerifier(anchors: anchors)
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            func version(_ note: String, _ date: Date) throws -> IncomingPass {
                try IncomingPass(issuer.sign(TestPass(note: note), at: date), by: verifier)
            }
            self.verifier = verifier
            anchor = try #require(anchors.all.first)
            earlier = try version("1", date)
            let file = try issuer.sign(TestPass(note: "1"), at: date)
            repacked = try IncomingPass(PassFixtures.repacked(file), by: verifier)
            later = try version("2", date.addingTimeInterval(86_400))
        }
    }

    @Test("a pass that Apple vouches for stays current, whatever the signing times")
    func precedence() throws {
        let issued = try Self.issued.get()
        let earlier = issued.earlier.vouchedForByApple
        for order in [[earlier, issued.later], [issued.later, earlier]] {
            let scratch = Scratch()
            let library = try PassLibrary(at: scratch.url, for: .writing)
            for pass in order {
                #expect(try library.prospect(of: pass).admission == library.add([pass]).first)
            }
            let stored = try #require(try library.passes().first)
            #expect(stored.current.sha256 == earlier.pass.sha256)
            #expect(stored.current.anchor?.origin == .apple)
            let versions = try library.versions(of: stored.identity)
            #expect(versions.map(\.anchor?.origin) == [.apple, .own])
            #expect(versions.last?.anchor?.fingerprint == issued.anchor.fingerprint)
            #expect(
                try PassLibrary.check(at: scratch.url, mend: false) { _ in nil }.findings == [])
        }
    }

    @Test("a copy, for which only an own authority vouches, does not replace Apple's")
    func sameContents() throws {
        let issued = try Self.issued.get()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let all = [issued.earlier.vouchedForByApple, issued.later, issued.repacked]
        #expect(try library.add(all) == [.added, .older, .unchanged])
        let stored = try #require(try library.passes().first)
        #expect(stored.current.sha256 == issued.earlier.pass.sha256)
        #expect(stored.current.anchor?.origin == .apple)
        // Nor does the same file without Apple's anchors.
        #expect(try library.add([issued.earlier]) == [.unchanged])
        #expect(try library.passes().first?.current.anchor?.origin == .apple)
    }

    @Test("of a version without a known anchor, only Apple decides which copy is stored")
    func copyOfUnknownAnchor() throws {
        let issued = try Self.issued.get()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([issued.earlier])
        try forgetAnchors()
        #expect(try library.add([issued.repacked]) == [.unchanged])
        #expect(try library.passes().first?.current.sha256 == issued.earlier.pass.sha256)
        _ = try library.add([issued.repacked.vouchedForByApple])
        #expect(try library.passes().first?.current.sha256 == issued.repacked.pass.sha256)
    }

    @Test("older rows are those of Apple only if Apple vouches for their files")
    func unknownAnchor() throws {
        let issued = try Self.issued.get()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([issued.later])
        try forgetAnchors()
        #expect(try library.passes().first?.current.anchor == nil)
        #expect(try library.add([issued.earlier.vouchedForByApple]) == [.updated])
        let stored = try #require(try library.passes().first)
        #expect(stored.current.sha256 == issued.earlier.pass.sha256)
        #expect(try PassLibrary.check(at: scratch.url, mend: false) { _ in nil }.findings == [])
        // A pass met again gets its anchor.
        #expect(try library.add([issued.later]) == [.unchanged])
        let versions = try library.versions(of: stored.identity)
        #expect(versions.map(\.anchor?.origin) == [.apple, .own])
    }

    @Test("a pass is vouched for while its anchor is trusted for its type")
    func vouching() throws {
        let issued = try Self.issued.get()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([issued.later])
        let pass = try #require(try library.passes().first)
        func isVouchedFor(_ pattern: String?) throws -> Bool? {
            let types = try pattern.map { [try PassTypePattern($0)] }
            return pass.isVouchedFor(
                by: TrustAnchors.apple.adding(issued.anchor.vouching(onlyFor: types)))
        }
        #expect(try isVouchedFor(nil) == true)
        #expect(try isVouchedFor("pass.com.example.*") == true)
        #expect(try isVouchedFor("pass.org.example.*") == false)
        #expect(pass.isVouchedFor(by: .apple) == false)
        #expect(pass.current.verdict == .trusted)
        try forgetAnchors()
        let old = try #require(try library.passes().first)
        #expect(old.isVouchedFor(by: .apple) == nil)
    }

    @Test("another anchor that vouches for a stored pass is recorded")
    func recording() throws {
        let issued = try Self.issued.get()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([issued.earlier, issued.later])
        try forgetAnchors()
        let nobody = PassVerifier()
        #expect(try library.recordAnchors(by: nobody) == 1)
        #expect(try library.passes().first?.current.anchor == nil)
        #expect(try library.recordAnchors(by: issued.verifier) == 0)
        let stored = try #require(try library.passes().first)
        let expected = StoredAnchor(fingerprint: issued.anchor.fingerprint, origin: .own)
        #expect(try library.versions(of: stored.identity).map(\.anchor) == [expected, expected])
        #expect(stored.isVouchedFor(by: issued.verifier.anchors) == true)
        // What is gone stays recorded, so that the pass is vouched for if the anchor returns.
        #expect(try library.recordAnchors(by: nobody) == 1)
        #expect(try library.passes().first?.current.anchor == expected)
        try FileManager.default.removeItem(at: library.file(of: stored.current))
        #expect(try library.recordAnchors(by: issued.verifier) == 0)
        try forgetAnchors()
        #expect(try library.recordAnchors(by: issued.verifier) == 1)
    }

    @Test("an index of an earlier version is read, and gets the columns when it is written")
    func migration() throws {
        let issued = try Self.issued.get()
        _ = try PassLibrary(at: scratch.url, for: .writing).add([issued.later])
        try scratch.sqlite(
            """
            ALTER TABLE versions DROP COLUMN anchor;
            ALTER TABLE versions DROP COLUMN anchorOrigin;
            DELETE FROM grdb_migrations WHERE identifier = '10: anchors'
            """)
        for access in [PassLibrary.Access.reading, .writing, .reading] {
            let library = try PassLibrary(at: scratch.url, for: access)
            #expect(try library.passes().map(\.current.anchor) == [nil])
        }
        let library = try PassLibrary(at: scratch.url, for: .writing)
        #expect(try library.recordAnchors(by: issued.verifier) == 0)
        #expect(try library.passes().first?.current.anchor?.origin == .own)
    }

    @Test("a rebuilt index has the anchors that vouch for its files now")
    func rebuild() throws {
        let issued = try Self.issued.get()
        _ = try PassLibrary(at: scratch.url, for: .writing).add([issued.later])
        let verifier = issued.verifier
        try Data("no index".utf8).write(to: scratch.url.appendingPathComponent("library.sqlite"))
        _ = try PassLibrary.check(at: scratch.url, mend: true) { octets in
            verifier.verify(Array(octets)).verified
        }
        let stored = try #require(try PassLibrary(at: scratch.url, for: .writing).passes().first)
        #expect(stored.current.anchor?.fingerprint == issued.anchor.fingerprint)
    }

    private func forgetAnchors() throws {
        try scratch.sqlite("UPDATE versions SET anchor = NULL, anchorOrigin = NULL")
    }
}

extension IncomingPass {
    /// The same pass, as if it had been signed under one of Apple's anchors.
    fileprivate var vouchedForByApple: IncomingPass {
        let apple = VerifiedPass(
            pass: pass.pass, verdict: pass.verdict, reasons: pass.reasons, notes: pass.notes,
            signedAt: pass.signedAt, anchor: TrustAnchors.apple.all.first, sha256: pass.sha256,
            size: pass.size, manifestSHA256: pass.manifestSHA256, statement: pass.statement,
            octets: pass.octets)
        return IncomingPass(pass: apple, origin: origin)
    }
}
