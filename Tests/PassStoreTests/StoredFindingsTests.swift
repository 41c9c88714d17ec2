import Foundation
import PassFixtures
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("A library stores findings as data")
struct StoredFindingsTests {
    private let scratch = Scratch()

    private func add() throws -> IncomingPass {
        let incoming = try TestPass().incoming()
        #expect(try PassLibrary(at: scratch.url, for: .writing).add([incoming]) == [.added])
        return incoming
    }

    private func version() throws -> StoredVersion {
        try #require(try PassLibrary(at: scratch.url, for: .reading).passes().first).current
    }

    private func column(_ name: String) throws -> String {
        try scratch.query("SELECT \(name) FROM versions")
    }

    @Test("with their arguments, which are read back")
    func stored() throws {
        let pass = try add().pass
        let version = try version()
        #expect(version.reasons == pass.reasons && version.notes == pass.notes)
        #expect(version.reasons == [.unsigned])
        #expect(
            try column("reasons")
                == #"[{"code":"no-signature","detail":"","finding":{"unsigned":{}}}]"#)
        #expect(
            try column("notes")
                == #"[{"code":"missing-icon","detail":"","finding":{"oddity":{"_0":{"missingIcon":{}}}}}]"#
        )
    }

    @Test("in a format that later versions can read too")
    func format() throws {
        _ = try add()
        try scratch.sqlite(
            """
            UPDATE versions SET notes = '[
                {"code": "file-differs", "finding": {"fileDiffers": {"path": "logo.png"}}},
                {"code": "wrong-type", "finding": {"oddity": {"_0": {"wrongType": {"key": "row",
                    "place": {"field": {"_0": "gate"}}, "found": "string",
                    "expected": "number"}}}}},
                {"code": "certificate-expired-since",
                    "finding": {"certificateExpiredSince": {"_0": 1700000000}}}
            ]'
            """)
        #expect(
            try version().notes == [
                .fileDiffers(path: "logo.png"),
                .oddity(
                    .wrongType(
                        key: "row", place: .field("gate"), found: .string, expected: .number)),
                .certificateExpiredSince(Date(timeIntervalSince1970: 1_700_000_000)),
            ])
    }

    private static let sentences = #"[{"code":"no-signature","detail":"there is no signature"}]"#

    @Test("a finding from an earlier version is unchanged until the pass is verified again")
    func earlier() throws {
        let incoming = try add()
        try scratch.sqlite(
            """
            UPDATE versions SET reasons = '\(Self.sentences)';
            DELETE FROM grdb_migrations WHERE identifier LIKE '8:%'
            """)
        for access in [PassLibrary.Access.reading, .writing, .reading] {
            let passes = try PassLibrary(at: scratch.url, for: access).passes()
            #expect(
                passes.first?.current.reasons
                    == [.stored(code: "no-signature", detail: "there is no signature")])
            #expect(passes.first?.current.reasons.map(\.code) == ["no-signature"])
            #expect(try column("reasons") == Self.sentences)
        }
        #expect(try PassLibrary(at: scratch.url, for: .writing).add([incoming]) == [.unchanged])
        #expect(try version().reasons == [.unsigned])
    }

    @Test("a finding from a later version is read by its code")
    func later() throws {
        _ = try add()
        try scratch.sqlite(
            """
            UPDATE versions SET reasons = '[{"code": "moon-phase", "finding": {"moonPhase":
                {"phase": 3}}, "more": 1}, {"code": "no-signature", "finding": {"unsigned": {}}}]'
            """)
        #expect(try version().reasons == [.stored(code: "moon-phase", detail: ""), .unsigned])
        #expect(try PassLibrary.check(at: scratch.url, mend: false) { _ in nil }.findings.isEmpty)
    }

    @Test("an earlier version refuses the library")
    func superseded() throws {
        _ = try add()
        let applied = try scratch.query("SELECT group_concat(identifier) FROM grdb_migrations")
        #expect(applied.contains("8: findings as data"))
    }
}
