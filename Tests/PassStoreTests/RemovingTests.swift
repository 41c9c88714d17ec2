import Foundation
import PassFixtures
import PassModel
import PassStore
import PassVerification
import Synchronization
import Testing

@Suite("A removal deletes the versions that were listed, and no newer ones")
struct RemovingTests {
    let scratch = Scratch()

    /// A version that becomes the current one, and one that is added to the history.
    private func versions() throws -> (front: IncomingPass, older: IncomingPass) {
        let signed = try PassMaker.ofTickets().sign(TestPass(note: "1"))
        return (try IncomingPass(signed), try TestPass(note: "2").incoming())
    }

    @Test("several are removed together, and one already removed is ignored")
    func together() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        for serial in ["1", "2", "3", "4"] {
            _ = try library.add([TestPass(serial: serial).incoming()])
        }
        let passes = try library.passes().filter { $0.serialNumber != "4" }
        let first = try #require(passes.first)
        try library.remove(first.identity)
        #expect(try library.remove(passes, asOf: .now).isEmpty)
        #expect(try library.passes().map(\.serialNumber) == ["4"])
        #expect(scratch.files("passes").count == 1)
    }

    @Test("a pass with a new version is kept with all its versions", arguments: [true, false])
    func changed(comesToFront: Bool) throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let (newer, older) = try versions()
        _ = try library.add([
            comesToFront ? older : newer, TestPass(serial: "other").incoming(),
        ])
        let seen = try library.passes()
        let moment = Date.now
        #expect(
            try library.add([comesToFront ? newer : older]) == [comesToFront ? .updated : .older])
        #expect(try library.remove(seen, asOf: moment).map(\.serialNumber) == ["0001"])
        #expect(try library.passes().map(\.serialNumber) == ["0001"])
        #expect(try library.versions(of: newer.pass.pass.identity).count == 2)
        #expect(scratch.files("passes").count == 2)
        // It is removed once it was listed again.
        #expect(try library.remove(library.passes(), asOf: .now).isEmpty)
        #expect(try library.count() == 0)
    }

    @Test("a version added at the same time is kept, whichever comes first")
    func race() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let (newer, older) = try versions()
        for _ in 0..<40 {
            _ = try library.add([older])
            let seen = try library.passes()
            let moment = Date.now
            let failures = Mutex<[any Error]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                do {
                    if index == 0 {
                        _ = try library.add([newer])
                    } else {
                        try library.remove(seen, asOf: moment)
                    }
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
            let problems = failures.withLock { $0 }
            #expect(problems.isEmpty, "\(problems)")
            let found = try #require(try library.passes().first)
            #expect(found.current.sha256 == newer.pass.sha256)
            try library.remove(found.identity)
        }
        #expect(scratch.files("passes").isEmpty)
    }
}
