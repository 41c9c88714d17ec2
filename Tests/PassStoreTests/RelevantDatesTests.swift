import Foundation
import PassModel
import PassStore
import Testing

@Suite("The library stores all periods in which a pass is relevant")
struct RelevantDatesTests {
    let scratch = Scratch()

    private func version(of pass: TestPass) throws -> StoredVersion {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([try pass.incoming()])
        let reading = try PassLibrary(at: scratch.url, for: .reading)
        let stored = try reading.pass(
            withPassTypeIdentifier: pass.type, serialNumber: pass.serial)
        return try #require(stored).current
    }

    @Test("as the pass declares them")
    func spans() throws {
        var pass = TestPass()
        pass.relevantDates = [
            ["startDate": "2026-05-01T10:00:00Z", "endDate": "2026-05-03T22:00:00Z"],
            ["date": "2026-06-01T10:00:00Z"], ["endDate": "2026-07-01T10:00:00Z"],
        ]
        let dates = try version(of: pass).relevantDates
        #expect(
            dates.map { [$0.date, $0.startDate, $0.endDate].map { $0?.timeIntervalSince1970 } }
                == [
                    [nil, 1_777_629_600, 1_777_845_600], [1_780_308_000, nil, nil],
                    [nil, nil, 1_782_900_000],
                ])
    }

    @Test("from its single date, or none")
    func single() throws {
        var pass = TestPass()
        #expect(try version(of: pass).relevantDates.isEmpty)
        pass.serial = "0002"
        pass.relevantDate = "2026-06-01T10:00:00Z"
        let version = try version(of: pass)
        #expect(version.relevantDates.map(\.date) == [version.relevantDate])
    }

    @Test("a library from an earlier version contains only the first one")
    func earlier() throws {
        var pass = TestPass()
        pass.relevantDates = [
            ["date": "2026-05-01T10:00:00Z"], ["date": "2026-06-01T10:00:00Z"],
        ]
        #expect(try version(of: pass).relevantDates.count == 2)
        try scratch.sqlite(
            """
            ALTER TABLE versions DROP COLUMN relevantDates;
            DELETE FROM grdb_migrations WHERE identifier LIKE '6:%'
            """)
        for access in [PassLibrary.Access.reading, .writing, .reading] {
            let passes = try PassLibrary(at: scratch.url, for: access).passes()
            #expect(
                passes.map { $0.current.relevantDates.map { $0.date?.timeIntervalSince1970 } }
                    == [[1_777_629_600]])
        }
    }
}
