import Foundation
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("Every change is reported once, whichever process made it")
struct LibraryChangesTests {
    let scratch = Scratch()

    private func identity(_ serial: String) -> PassIdentity {
        PassIdentity(passTypeIdentifier: "pass.com.example.ticket", serialNumber: serial)
    }

    @Test(.timeLimit(.minutes(1)))
    func changes() async throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let another = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass(serial: "before").incoming()])
        let stream = try library.changes()
        let versions = try ["1", "2"].map { try TestPass(serial: "a", note: $0).incoming() }
            .sorted { $0.pass.sha256 < $1.pass.sha256 }
        _ = try another.add([versions[0]])
        _ = try library.add([versions[1]])
        _ = try library.add([versions[0]])
        try another.remove(identity("a"))
        _ = try another.add((0..<1500).map { try TestPass(serial: "\($0)").incoming() })
        var seen: [LibraryChange] = []
        for await change in stream {
            seen.append(change)
            if seen.count == 1503 { break }
        }
        #expect(
            seen == [.added(identity("a")), .updated(identity("a")), .removed(identity("a"))]
                + (0..<1500).map { .added(identity("\($0)")) })
    }

    @Test("at once, without waiting for the timer", .timeLimit(.minutes(1)))
    func soon() async throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let another = try PassLibrary(at: scratch.url, for: .writing)
        var changes = try library.changes().makeAsyncIterator()
        // Wait until the check at the start of every stream is done.
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        for serial in ["1", "2", "3"] {
            _ = try another.add([TestPass(serial: serial).incoming()])
            #expect(await changes.next() == .added(identity(serial)))
        }
        #expect(ContinuousClock.now - start < .seconds(8))
    }

    @Test("by another process", .timeLimit(.minutes(1)))
    func anotherProcess() async throws {
        let stream = try PassLibrary(at: scratch.url, for: .writing).changes()
        let importer = try Importer(scratch.url, series: "p", batches: 2)
        defer { importer.process.waitUntilExit() }
        let expected = (0..<2).flatMap { batch in
            (0..<Importer.batch).map { identity("p-\(batch)-\($0)") }
        }
        var seen: [LibraryChange] = []
        for await change in stream {
            seen.append(change)
            if seen.count == expected.count { break }
        }
        #expect(seen == expected.map { .added($0) })
    }

    @Test("for declared pass types", .timeLimit(.minutes(1)))
    func declared() async throws {
        let library = try PassLibrary(
            at: scratch.url, passTypeIdentifiers: ["pass.card"], for: .writing)
        var changes = try library.changes().makeAsyncIterator()
        _ = try library.add([
            TestPass(serial: "1").incoming(), TestPass(type: "pass.card", serial: "2").incoming(),
        ])
        let card = PassIdentity(passTypeIdentifier: "pass.card", serialNumber: "2")
        #expect(await changes.next() == .added(card))
    }

    @Test(
        "by another process, to an instance that only reads its own types",
        .timeLimit(.minutes(1)))
    func readOnly() async throws {
        _ = try PassLibrary(at: scratch.url, for: .writing).add([TestPass(serial: "0").incoming()])
        let tickets: Set = [TestPass().type]
        var seen = try PassLibrary(at: scratch.url, passTypeIdentifiers: tickets).changes()
            .makeAsyncIterator()
        var unseen = try PassLibrary(at: scratch.url, passTypeIdentifiers: ["pass.card"]).changes()
            .makeAsyncIterator()
        let importer = try Importer(scratch.url, series: "p", batches: 1)
        for number in 0..<Importer.batch {
            #expect(await seen.next() == .added(identity("p-0-\(number)")))
        }
        importer.process.waitUntilExit()
        _ = try PassLibrary(at: scratch.url, for: .writing).add([
            TestPass(type: "pass.card", serial: "c").incoming()
        ])
        let card = PassIdentity(passTypeIdentifier: "pass.card", serialNumber: "c")
        #expect(await unseen.next() == .added(card))
    }

    enum End: CaseIterable { case cancelled, abandoned, neverRead }

    @Test(
        "until the task is cancelled or the stream is dropped, which closes its files",
        .timeLimit(.minutes(1)), arguments: End.allCases)
    func ended(_ end: End) async throws {
        _ = try PassLibrary(at: scratch.url, for: .writing).add([TestPass(serial: "0").incoming()])
        #expect(descriptors() == [])
        switch end {
        case .cancelled:
            let stream = try PassLibrary(at: scratch.url).changes()
            #expect(descriptors().contains("inotify"))
            let task = Task {
                var count = 0
                for await _ in stream { count += 1 }
                return count
            }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            #expect(await task.value == 0)
        case .abandoned:
            let library = try PassLibrary(at: scratch.url)
            let writer = try PassLibrary(at: scratch.url, for: .writing)
            let stream = try library.changes()
            _ = try writer.add([TestPass(serial: "1").incoming()])
            for await _ in stream { break }
        case .neverRead: _ = try PassLibrary(at: scratch.url).changes()
        }
        // Descriptors are closed on another queue.
        for _ in 0..<500 where descriptors() != [] {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(descriptors() == [])
    }

    /// The open files in the library, and the inotify instances that watch it.
    private func descriptors() -> [String] {
        let folder = "/proc/self/fd"
        let root = scratch.url.resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: root)
        let number = (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
        let watched = " ino:\(String(number, radix: 16)) "
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name -> String? in
            guard
                let path = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "\(folder)/\(name)")
            else { return nil }
            if path.hasPrefix(root) { return String(path.dropFirst(root.count)) }
            let info = try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8)
            return info?.contains(watched) == true ? "inotify" : nil
        }.sorted()
    }

    enum Mishap: CaseIterable { case gone, moved, indexGone, indexOverwritten, indexReplaced }

    @Test(
        "until the library is deleted, replaced or damaged, which ends the stream at once",
        .timeLimit(.minutes(1)), arguments: Mishap.allCases)
    func mishap(_ mishap: Mishap) async throws {
        // By now the writing process has exited and left no log beside the index.
        _ = try PassLibrary(at: scratch.url, for: .writing).add([TestPass(serial: "1").incoming()])
        var changes = try PassLibrary(at: scratch.url, for: .reading).changes()
            .makeAsyncIterator()
        // Wait until the check at the start of every stream is done.
        try await Task.sleep(for: .milliseconds(200))
        let index = scratch.url.appendingPathComponent("library.sqlite")
        let elsewhere = scratch.url.appendingPathExtension("elsewhere")
        defer { try? FileManager.default.removeItem(at: elsewhere) }
        let start = ContinuousClock.now
        switch mishap {
        case .gone: try FileManager.default.removeItem(at: scratch.url)
        case .moved: try FileManager.default.moveItem(at: scratch.url, to: elsewhere)
        case .indexGone: try FileManager.default.removeItem(at: index)
        case .indexOverwritten:
            let file = try FileHandle(forWritingTo: index)
            try file.write(contentsOf: Data((0..<8192).map { _ in UInt8.random(in: 0...255) }))
            try file.close()
        case .indexReplaced:
            try Data("another".utf8).write(to: elsewhere)
            try FileManager.default.removeItem(at: index)
            try FileManager.default.moveItem(at: elsewhere, to: index)
        }
        #expect(await changes.next() == .everything)
        #expect(await changes.next() == nil)
        // The timer would have noticed it only after a quarter of a minute.
        #expect(ContinuousClock.now - start < .seconds(8))
    }
}
