import Foundation
import Glibc
import Testing

@testable import Platform

@Suite("Files of a batch appear together, complete or not at all")
final class DurableBatchTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("passconduit-batch-\(UUID().uuidString)").path

    init() throws { try DurableFile.makeFolder(folder.utf8) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test("no file has a name before the batch is placed")
    func names() throws {
        let batch = try DurableBatch(folder: folder)
        defer { batch.close() }
        let first = try batch.draft(Array("one".utf8), number: 0)
        let second = try batch.draft(Array("two".utf8), number: 1)
        #expect(try visible() == [:])
        let errors = batch.place(
            [(Array("a".utf8), first), (Array("b".utf8), second)], replacing: false)
        #expect(errors == [nil, nil])
        #expect(try visible() == ["a": "one", "b": "two"])
    }

    @Test("an existing file is replaced only on request", arguments: [true, false])
    func existing(replacing: Bool) throws {
        try Data("old".utf8).write(to: URL(fileURLWithPath: "\(folder)/a"))
        let batch = try DurableBatch(folder: folder)
        defer { batch.close() }
        let drafts = try ["new", "other"].enumerated().map { number, text in
            try batch.draft(Array(text.utf8), number: number)
        }
        let errors = batch.place(
            [(Array("a".utf8), drafts[0]), (Array("b".utf8), drafts[1])], replacing: replacing)
        #expect(errors == [replacing ? nil : FileError(.write, EEXIST), nil])
        #expect(try visible() == ["a": replacing ? "new" : "old", "b": "other"])
    }

    @Test("a file that is not placed leaves nothing when its descriptor is closed")
    func unplaced() throws {
        let batch = try DurableBatch(folder: folder)
        let draft = try batch.draft(Array("one".utf8), number: 0)
        // This also happens at the end of a process.
        batch.discard(draft)
        batch.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test("hidden files of processes that have ended are removed, and no others")
    func abandoned() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        let ended = process.processIdentifier
        let others = [
            ".passconduit.\(getpid()).0.part", ".passconduit.\(ended).part",
            ".passconduit.\(ended).0.1.part", ".passconduit.\(ended).x.part",
            ".passconduit.0.0.part", ".passconduit.-\(ended).0.part", ".passconduit.part",
            ".passconduit.99999999999999999999.0.part", "passconduit.\(ended).0.part",
        ]
        for name in others + [".passconduit.\(ended).0.part", ".passconduit.\(ended).17.part"] {
            try Data("old".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        try DurableBatch(folder: folder).close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.sorted() == others.sorted())
    }

    @Test("a discarded file leaves nothing, and its descriptor is closed")
    func discarded() throws {
        let batch = try DurableBatch(folder: folder)
        defer { batch.close() }
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for number in 0..<50 {
            batch.discard(try batch.draft([1], number: number))
        }
        let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #expect(abs(after - before) < 10)
        #expect(try visible() == [:])
    }

    @Test("a folder that does not exist is an error")
    func missing() {
        #expect(throws: FileError.self) { try DurableBatch(folder: "\(self.folder)/missing") }
    }

    private func visible() throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: try names.map { name in
                (name, try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
            })
    }
}
