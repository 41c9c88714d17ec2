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
        // An ID that is also a serial number.
        #expect(
            throws: LibraryError.ambiguous(
                name: "1", candidates: [passes[0].identity, passes[3].identity])
        ) { try library.pass(named: "1") }
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
