import Foundation
import PassFixtures
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("Of versions signed in the same second, the one that arrived later is current")
struct ArrivalTests {
    let scratch = Scratch()

    private static let issued = Result { try Issued() }

    struct Issued {
        let verifier: PassVerifier
        let files: [[UInt8]]

        init() throws {
            let issuer = try PassMaker.ofTickets()
            verifier = PassVerifier(
                anchors: try TrustAnchors(certificates: [issuer.authorityCertificate]))
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            files = try (0..<3).map { try issuer.sign(TestPass(note: "\($0)"), at: date) }
        }
    }

    private func incoming(_ number: Int, date: Date? = nil) throws -> IncomingPass {
        let issued = try Self.issued.get()
        return try IncomingPass(issued.files[number], date: date, by: issued.verifier)
    }

    /// The numbers of the versions, the current one first.
    private func versions() throws -> [Int?] {
        let library = try PassLibrary(at: scratch.url)
        let pass = try #require(try library.passes().first)
        let digests = try (0..<3).map { try incoming($0).pass.sha256 }
        let versions = try library.versions(of: pass.identity).map(\.sha256)
        #expect(versions.first == pass.current.sha256)
        return versions.map { digests.firstIndex(of: $0) }
    }

    private func mend() throws {
        let verifier = try Self.issued.get().verifier
        _ = try PassLibrary.check(at: scratch.url, mend: true) { octets in
            verifier.verify(Array(octets)).verified
        }
    }

    @Test(
        "whatever the dates of mail say, and however often it is sent again",
        arguments: [[0, 1], [1, 0]])
    func dates(_ order: [Int]) throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let (first, second) = (order[0], order[1])
        #expect(try library.add([incoming(first, date: .now)]) == [.added])
        let long = Date(timeIntervalSince1970: 883_612_800)
        #expect(try library.prospect(of: incoming(second, date: long)).admission == .updated)
        #expect(try library.add([incoming(second, date: long)]) == [.updated])
        for (number, date) in [
            (second, long), (first, .distantFuture), (second, nil), (first, .now),
        ] {
            #expect(try library.add([incoming(number, date: date)]) == [.unchanged])
            #expect(try versions() == [second, first])
        }
        // A copy of the earlier one does not arrive anew.
        let issued = try Self.issued.get()
        for edit in [Packaging.inFolder, Packaging.longLength, Packaging.attached] {
            let copy = try IncomingPass(
                repacked(issued.files[first], edit), by: issued.verifier)
            #expect(try library.add([copy]) == [.unchanged])
        }
        #expect(try versions() == [second, first])
        #expect(try PassLibrary.check(at: scratch.url, mend: false) { _ in nil }.findings == [])
    }

    @Test(
        "also after the index was rebuilt",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func rebuilt(_ order: [Int]) throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        for number in order { _ = try library.add([incoming(number)]) }
        try scratch.sqlite("UPDATE versions SET verdict = 'perhaps'")
        try mend()
        #expect(try versions() == order.reversed())
    }

    @Test(
        "in an index of an earlier version, the current version stays current",
        arguments: [0, 1, 2], [false, true])
    func migrated(front: Int, isDamaged: Bool) throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        for number in 0..<3 { _ = try library.add([incoming(number)]) }
        _ = try library.add([TestPass(serial: "0002").incoming()])
        let before = try library.versions(of: library.pass(named: "0001").identity)
        let sha256 = try incoming(front).pass.sha256
        try scratch.sqlite(
            """
            DROP TABLE replacedFiles;
            ALTER TABLE versions ADD COLUMN firstSeen REAL;
            DELETE FROM grdb_migrations WHERE identifier LIKE '13:%';
            UPDATE passes SET front = (SELECT id FROM versions WHERE sha256 = '\(sha256)')
            WHERE serialNumber = '0001'
            """)
        if isDamaged {
            try scratch.sqlite("UPDATE versions SET verdict = 'perhaps'")
            try mend()
        }
        let migrated = try PassLibrary(at: scratch.url, for: .writing)
        let others = [2, 1, 0].filter { $0 != front }
        #expect(try versions() == [front] + others)
        let after = try migrated.versions(of: migrated.pass(named: "0001").identity)
        #expect(Set(after.map(\.sha256)) == Set(before.map(\.sha256)))
        #expect(after.allSatisfy { $0.origins.map(\.source) == ["/tmp/ticket.pkpass"] })
        #expect(try migrated.search("example").count == 2)
        #expect(try PassLibrary.check(at: scratch.url, mend: false) { _ in nil }.findings == [])
        for other in others { #expect(try migrated.add([incoming(other)]) == [.unchanged]) }
        #expect(try versions() == [front] + others)
    }
}
