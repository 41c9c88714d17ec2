import Foundation
import PassModel
import PassStore
import Testing

@Suite("A pass can be named by any identifier that list shows")
struct NamingTests {
    let scratch = Scratch()

    @Test func names() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(type: "pass.a", serial: "x").incoming(),
            TestPass(type: "pass.b", serial: "x").incoming(),
            TestPass(type: "pass.b", serial: "a/b").incoming(),
            TestPass(type: "pass.b", serial: "1").incoming(),
        ])
        let passes = try library.passes().sorted { $0.id < $1.id }
        #expect(passes.map(\.id) == [1, 2, 3, 4])
        #expect(try library.pass(named: "pass.b/x") == passes[1])
        #expect(try library.pass(named: "pass.b/a/b") == passes[2])
        #expect(try library.pass(named: "a/b") == passes[2])
        #expect(try library.pass(named: "3") == passes[2])
        for pass in passes {
            let prefix = String(pass.current.sha256.prefix(6))
            #expect(try library.pass(named: prefix) == pass)
            #expect(try library.pass(named: prefix.uppercased()) == pass)
            #expect(try library.pass(named: pass.identity.description) == pass)
            let short = String(prefix.prefix(5))
            #expect(throws: LibraryError.noSuchPass(short)) { try library.pass(named: short) }
        }
        #expect(
            throws: LibraryError.ambiguous(
                name: "x", candidates: [passes[0].identity, passes[1].identity])
        ) { try library.pass(named: "x") }
    }

    @Test("an ID wins over a serial number and a digest, which other names reach")
    func numbersWin() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(type: "pass.a", serial: "first").incoming(),
            TestPass(type: "pass.b", serial: "1").incoming(),
            TestPass(type: "pass.b", serial: "2").incoming(),
            TestPass(type: "pass.b", serial: "0001").incoming(),
            TestPass(type: "pass.b", serial: "serial:2").incoming(),
            TestPass(type: "pass.b", serial: "serial:9").incoming(),
            TestPass(type: "pass.b", serial: "serial:7").incoming(),
            TestPass(type: "pass.c", serial: "7").incoming(),
            TestPass(type: "pass.d", serial: "7").incoming(),
            TestPass(type: "pass.d", serial: "99").incoming(),
        ])
        let rows: [(name: String, id: Int64)] = [
            ("1", 1), ("2", 2), ("3", 3), ("serial:1", 2), ("serial:2", 3), ("pass.b/1", 2),
            ("passconduit:pass/pass.b/2", 3), ("0001", 4), ("serial:0001", 4),
            ("serial:serial:2", 5), ("serial:serial:9", 6), ("pass.b/serial:9", 6), ("pass.d/7", 9),
            ("7", 7), ("99", 10),
        ]
        for row in rows {
            #expect(try library.pass(named: row.name).id == row.id, "\(row.name)")
            #expect(try library.version(named: row.name).passID == row.id, "\(row.name)")
        }
        let candidates = ["pass.c", "pass.d"].map {
            PassIdentity(passTypeIdentifier: $0, serialNumber: "7")
        }
        #expect(
            throws: LibraryError.ambiguous(name: "serial:7", candidates: candidates)
        ) { try library.pass(named: "serial:7") }
        for name in ["01", "+1", " 1", "\u{FF11}", "serial:", "Serial:1", "serial:3", "serial:9"] {
            #expect(throws: LibraryError.noSuchPass(name)) { try library.pass(named: name) }
        }
        let own = try PassLibrary(at: scratch.url, passTypeIdentifiers: ["pass.b"])
        #expect(try own.pass(named: "1").id == 2)
    }

    @Test("a passURL names only its own pass, whatever serial numbers others have")
    func passURL() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let url = "passconduit:pass/pass.a/a%2Fb"
        _ = try library.add([
            TestPass(type: "pass.b", serial: url).incoming(),
            TestPass(type: "passconduit:pass", serial: "pass.a/a%2Fb").incoming(),
        ])
        #expect(throws: LibraryError.noSuchPass(url)) { try library.pass(named: url) }
        _ = try library.add([TestPass(type: "pass.a", serial: "a/b").incoming()])
        #expect(try library.pass(named: url).id == 3)
        #expect(try library.version(named: url).passID == 3)
    }

    @Test(arguments: ["", "/", "5", "pass.b", "pass.b/", "zzzzzz", "abcdef", "' OR 1=1", "-1", "%"])
    func unknown(_ name: String) throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass().incoming()])
        #expect(throws: LibraryError.noSuchPass(name)) { try library.pass(named: name) }
        #expect(throws: LibraryError.noSuchPass(name)) { try library.version(named: name) }
    }

    @Test("an older version is named by its digest")
    func olderVersion() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass(note: "1").incoming(), TestPass(note: "2").incoming()])
        let identity = try #require(try library.passes().first).identity
        for version in try library.versions(of: identity) {
            #expect(try library.version(named: version.sha256) == version)
        }
        #expect(try library.version(named: "0001") == library.versions(of: identity).first)
    }

    @Test("an index of an earlier version gets the names of its passes")
    func earlierNames() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(strings: [
                "de": #""Ticket" = "Fahrschein";"#, "en": #""Ticket" = "Ticket";"#,
            ]).incoming()
        ])
        try scratch.sqlite(
            """
            DROP INDEX versionsWithoutNames;
            ALTER TABLE versions DROP COLUMN names;
            ALTER TABLE versions DROP COLUMN arrival;
            DELETE FROM grdb_migrations WHERE identifier LIKE '14:%'
            """)
        let reading = try PassLibrary(at: scratch.url)
        #expect(try reading.passes().first?.current.names == nil)
        let writing = try PassLibrary(at: scratch.url, for: .writing)
        let names = try #require(try writing.passes().first?.current.names)
        #expect(names.name(for: ["de"]).subject == "Fahrschein")
        #expect(names.name(for: ["en"]).subject == "Ticket")
    }

    @Test("the number of a removed pass names no other pass, whose serial number it may be")
    func removedNumber() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(serial: "a").incoming(), TestPass(serial: "1").incoming(),
        ])
        let first = try library.pass(named: "1")
        #expect(first.serialNumber == "a")
        try library.remove(first.identity)
        #expect(throws: LibraryError.noSuchPass("1")) { try library.pass(named: "1") }
        #expect(try library.pass(named: "serial:1").serialNumber == "1")
    }

    @Test("IDs are not reused")
    func numbers() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass(serial: "a").incoming()])
        let first = try library.pass(named: "a")
        try library.remove(first.identity)
        _ = try library.add([TestPass(serial: "b").incoming()])
        #expect(try library.pass(named: "b").id == 2)
    }
}
