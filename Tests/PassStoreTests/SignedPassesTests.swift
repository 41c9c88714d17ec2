import Foundation
import PassFixtures
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("A signed pass takes precedence over an unsigned one, and the one signed last is current")
struct SignedPassesTests {
    let scratch = Scratch()

    /// Two versions, signed a second apart.
    private static let issued = Result { try Issued() }

    struct Issued {
        let authority: PassVerifier
        let earlier: [UInt8]
        let later: [UInt8]
        /// The earlier one, repackaged.
        let repacked: [UInt8]

        init() throws {
            let issuer = try PassMaker.ofTickets()
            authority = PassVerifier(
                anchors: try TrustAnchors(certificates: [issuer.authorityCertificate]))
            // Any of the digests may be the greatest, so the test depends only on the time.
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            earlier = try issuer.sign(TestPass(note: "1"), at: date)
            later = try issuer.sign(TestPass(note: "2"), at: date.addingTimeInterval(1))
            repacked = try PassFixtures.repacked(earlier)
        }
    }

    @Test("in any order of arrival", arguments: [[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1]])
    func newest(_ order: [Int]) throws {
        let issued = try Self.issued.get()
        let unsigned = try TestPass(note: "3").file
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let files = [issued.earlier, issued.later, unsigned]
        let incoming = try files.map { try IncomingPass($0, by: issued.authority) }
        #expect(incoming.map(\.pass.verdict) == [.trusted, .trusted, .unsigned])
        _ = try library.add(order.map { incoming[$0] })
        let pass = try #require(try library.passes().first)
        #expect(pass.current.sha256 == incoming[1].pass.sha256)
        #expect(pass.current.signedAt == incoming[1].pass.signedAt)
        #expect(
            try library.versions(of: pass.identity).map(\.verdict)
                == [.trusted, .trusted, .unsigned])
        #expect(try library.contents(of: pass.current).serialNumber == "0001")
    }

    @Test(
        "the predicted result equals the actual one, and predicting changes nothing",
        arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]])
    func prospect(_ order: [Int]) throws {
        let issued = try Self.issued.get()
        let files = [issued.earlier, issued.later, try TestPass(note: "3").file, issued.repacked]
        let incoming = try files.map { try IncomingPass($0, by: issued.authority) }
        let library = try PassLibrary(at: scratch.url, for: .writing)
        for index in order {
            let before = try library.passes()
            let prospect = try library.prospect(of: incoming[index])
            #expect(try library.passes() == before)
            #expect(prospect.stored == before.first)
            #expect(try library.add([incoming[index]]) == [prospect.admission])
            let again = try library.prospect(of: incoming[index])
            #expect(again.admission == .unchanged)
            let front = try #require(try library.passes().first).current
            #expect(again.isHistory == (again.known?.id != front.id))
            #expect(again.known?.verdict == incoming[index].pass.verdict)
        }
    }

    @Test("a repackaged pass is the same version")
    func repacked() throws {
        let issued = try Self.issued.get()
        try #require(issued.repacked != issued.earlier)
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let first = try IncomingPass(issued.earlier, from: "/a", by: issued.authority)
        let second = try IncomingPass(issued.repacked, from: "/b", by: issued.authority)
        #expect(try library.add([first]) == [.added])
        #expect(try library.add([second, second]) == [.unchanged, .unchanged])
        let pass = try #require(try library.passes().first)
        #expect(pass.current.origins.map(\.source) == ["/a", "/b"])
        #expect(scratch.files("") == scratch.files("passes/..") && scratch.files("").count == 1)
    }

    @Test("trust added later changes the verdict and the order")
    func judgedAnew() throws {
        let issued = try Self.issued.get()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let doubtful = try IncomingPass(issued.later)
        #expect(doubtful.pass.verdict == .untrusted)
        #expect(try library.add([doubtful]) == [.added])
        #expect(try library.passes().map(\.current.verdict) == [.untrusted])
        #expect(try library.passes().first?.current.reasons == doubtful.pass.reasons)
        let trusted = try IncomingPass(issued.earlier, by: issued.authority)
        #expect(try library.add([trusted]) == [.updated])
        #expect(try library.add([doubtful]) == [.unchanged])
        #expect(try library.passes().map(\.current.sha256) == [trusted.pass.sha256])
        #expect(try library.add([IncomingPass(issued.later, by: issued.authority)]) == [.updated])
        #expect(try library.passes().map(\.current.sha256) == [doubtful.pass.sha256])
        #expect(try library.passes().map(\.current.verdict) == [.trusted])
    }

    @Test("the previous current version is reported, and the others are listed best first")
    func replaced() throws {
        let issued = try Self.issued.get()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let earlier = try IncomingPass(issued.earlier, by: issued.authority)
        let later = try IncomingPass(issued.later, by: issued.authority)
        let unsigned = try IncomingPass(TestPass(note: "3").file)
        let other = try IncomingPass(TestPass(serial: "0002").file)
        let admitted = try library.admit([unsigned, other, earlier, later, earlier])
        #expect(admitted.map(\.admission) == [.added, .added, .updated, .updated, .unchanged])
        #expect(
            admitted.map(\.replaced)
                == [nil, nil, unsigned.pass.sha256, earlier.pass.sha256, nil])
        let passes = try library.passes()
        let versions = try library.versions(of: passes)
        let digests = passes.map { versions[$0.id]?.map(\.sha256) }
        #expect(digests.count == 2 && digests.contains([other.pass.sha256]))
        #expect(digests.contains([later, earlier, unsigned].map(\.pass.sha256)))
        #expect(try library.versions(of: []).isEmpty)
    }

    @Test("a version that becomes current by a new verdict replaces another, or itself")
    func replacedByJudgement() throws {
        let issued = try Self.issued.get()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let earlier = try IncomingPass(issued.earlier, by: issued.authority)
        let later = try IncomingPass(issued.later, by: issued.authority)
        let doubtful = try IncomingPass(issued.later)
        let digests = (earlier: earlier.pass.sha256, later: later.pass.sha256)
        #expect(try library.admit([doubtful, later]).map(\.replaced) == [nil, digests.later])
        #expect(try library.admit([earlier]).map(\.admission) == [.older])
        let other = try PassLibrary(at: Scratch().url, for: .writing)
        #expect(try other.admit([doubtful, earlier]).map(\.replaced) == [nil, digests.later])
        #expect(try other.admit([later]).map(\.replaced) == [digests.earlier])
        #expect(try other.passes().map(\.current.sha256) == [digests.later])
    }

    @Test("what an authority vouched for stays trusted when it is imported without the authority")
    func withoutAuthority() throws {
        let issued = try Self.issued.get()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let earlier = try IncomingPass(issued.earlier, by: issued.authority)
        #expect(try library.add([earlier]) == [.added])
        let before = try library.passes().map(\.current)
        // The same file, and a later version, both accepted as untrusted.
        let doubtful = [try IncomingPass(issued.earlier), try IncomingPass(issued.later)]
        #expect(doubtful.map(\.pass.verdict) == [.untrusted, .untrusted])
        #expect(try library.add(doubtful) == [.unchanged, .older])
        #expect(try library.add(doubtful.reversed()) == [.unchanged, .unchanged])
        #expect(try library.passes().map(\.current) == before)
        #expect(before.map(\.verdict) == [.trusted])
        // Nor does a rebuild of the index without the authority change that.
        try Data("half".utf8).write(to: scratch.url.appending(path: "library.sqlite.new"))
        let nobody = PassVerifier()
        let findings = try PassLibrary.check(at: scratch.url, mend: true) { octets in
            nobody.verify(Array(octets)).verified
        }.findings
        #expect(findings.map(\.code) == [.damagedIndex])
        let rebuilt = try PassLibrary(at: scratch.url).passes().map(\.current)
        #expect(rebuilt.map(\.sha256) == before.map(\.sha256))
        #expect(rebuilt.map(\.verdict) == [.trusted])
        #expect(rebuilt.map(\.anchor) == before.map(\.anchor))
        #expect(try PassLibrary.check(at: scratch.url, mend: false) { _ in nil }.findings == [])
    }
}
