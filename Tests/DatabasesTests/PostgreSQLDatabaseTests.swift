import PassFixtures
import Testing

@testable import Databases

@Suite(
    "A PostgreSQL database runs transactions as SQLite does",
    .enabled(if: PostgreSQLServer.missing == nil, "\(PostgreSQLServer.missing ?? "")"))
struct PostgreSQLDatabaseTests {
    private func database(_ address: String) throws -> PostgreSQLDatabase {
        PostgreSQLDatabase(try PostgreSQLAddress(address), connections: 2)
    }

    @Test("values are read back unchanged")
    func values() async throws {
        let database = try database(try PostgreSQLServer.shared.get().schema())
        let values: [SQLValue] = [
            0, -1, .integer(.min), .integer(.max), "", "né \u{1F600}", .bytes([]),
            .bytes([0, 255, 7]), .bytes(Array(repeating: 1, count: 1 << 20)),
        ]
        for value in values {
            let back = try await database.read { db in try db.row("SELECT $1", value)?[0] }
            #expect(back == value)
        }
        let others = try await database.read { db in
            try db.row(
                "SELECT true, false, 7::int, -7::smallint, NULL, count(*), '' FROM (SELECT 1) t")
        }
        #expect((0..<7).map { others?[$0] } == [1, 0, 7, -7, nil as SQLValue, 1, ""])
    }

    @Test("a transaction that throws is rolled back")
    func rollback() async throws {
        struct Stop: Error {}
        let database = try database(try PostgreSQLServer.shared.get().schema())
        try await database.write { db in try db.run(script: "CREATE TABLE t (n BIGINT PRIMARY KEY)")
        }
        await #expect(throws: Stop.self) {
            try await database.write { db in
                try db.rows("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        await #expect(throws: SQLError.self) {
            try await database.write { db in
                try db.rows("INSERT INTO t VALUES (1)")
                try db.rows("INSERT INTO t VALUES (1)")
            }
        }
        let count = try await database.read { db in try db.row("SELECT count(*) FROM t")?[0] }
        #expect(count == 0)
        await #expect(throws: SQLError.self) {
            try await database.read { db in try db.rows("INSERT INTO t VALUES (1)") }
        }
    }

    @Test("deadlocked transactions are repeated")
    func deadlock() async throws {
        let database = try database(try PostgreSQLServer.shared.get().schema())
        try await database.write { db in
            try db.run(script: "CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1), (2)")
        }
        try await withThrowingTaskGroup { group in
            for numbers in [[1, 2], [2, 1]] as [[Int64]] {
                group.addTask {
                    try await database.write { db in
                        for number in numbers {
                            try db.rows(
                                "UPDATE t SET n = n WHERE n = $1", .integer(number))
                            try db.rows("SELECT pg_sleep(0.05)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("connections recover after a restart and an outage of the server")
    func restart() async throws {
        let server = try PostgreSQLServer()
        let database = try database(try server.schema())
        try await database.write { db in try db.run(script: "CREATE TABLE t (n BIGINT)") }
        try server.stop()
        for _ in 1...3 {
            await #expect {
                try await database.write { db in try db.rows("INSERT INTO t VALUES (1)") }
            } throws: { error in
                guard case SQLError.unavailable = error else { return false }
                return true
            }
        }
        try server.start()
        // No connection is attempted for a second after a failure.
        try await Task.sleep(for: .seconds(1.1))
        try await database.write { db in try db.rows("INSERT INTO t VALUES (1)") }
        try server.stop()
        try server.start()
        // No error, although the open connection was lost.
        try await database.write { db in try db.rows("INSERT INTO t VALUES (1)") }
        let count = try await database.read { db in try db.row("SELECT count(*) FROM t")?[0] }
        #expect(count == 2)
    }

    @Test(
        "an address is validated, and must not contain a password",
        arguments: [
            ("postgresql://a:secret@b/c", SQLError.passwordInAddress),
            ("postgresql://a@b/c?password=secret", .passwordInAddress),
            ("postgresql://a@b/c?sslpassword=secret", .passwordInAddress),
            ("postgresql://a@b/c?unknown=1", .invalidAddress),
            ("postgresql://a@[b/c", .invalidAddress), ("postgresql://a:pa%zz@b/c", .invalidAddress),
        ])
    func addresses(text: String, error: SQLError) {
        #expect(throws: error) { try PostgreSQLAddress(text) }
    }
}
