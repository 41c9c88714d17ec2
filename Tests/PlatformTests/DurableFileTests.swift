import Foundation
import Glibc
import Testing

@testable import Platform

@Suite("A durable file is complete, or as it was before")
final class DurableFileTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("passconduit-durable-\(UUID().uuidString)").path

    init() throws { try DurableFile.makeFolder(folder.utf8) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test("an existing file is replaced only on request", arguments: [true, false])
    func existing(replacing: Bool) throws {
        try Data("old".utf8).write(to: url("file"))
        let failure = caught { () throws(FileError) in
            try file("file").write(Array("new".utf8), replacing: replacing)
        }
        #expect(failure == (replacing ? nil : FileError(.write, EEXIST)))
        #expect(try text("file") == (replacing ? "new" : "old"))
        #expect(try names() == ["file"])
    }

    @Test(
        "a symbolic link is replaced or left alone, but never followed", arguments: [true, false])
    func link(replacing: Bool) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path("file"), withDestinationPath: path("target"))
        let failure = caught { () throws(FileError) in
            try file("file").write([], replacing: replacing)
        }
        #expect(failure == (replacing ? nil : FileError(.write, EEXIST)))
        #expect(try names() == ["file"])
    }

    @Test("a file that another process creates during the write is not replaced")
    func meanwhile() throws {
        let failure = caught { () throws(FileError) in
            try file("file").write(replacing: false) { _ throws(FileError) in
                _ = FileManager.default.createFile(atPath: path("file"), contents: Data([7]))
            }
        }
        #expect(failure == FileError(.write, EEXIST))
        #expect(try text("file") == "\u{7}" && names() == ["file"])
    }

    @Test("a failed write leaves nothing new")
    func failed() throws {
        let full = FileError(.write, ENOSPC)
        let failure = caught { () throws(FileError) in
            try file("file").write { _ throws(FileError) in throw full }
        }
        #expect(failure == full)
        #expect(try names() == [])
    }

    @Test("what an interrupted process left is replaced")
    func leftover() throws {
        try Data("left".utf8).write(to: url("draft"))
        try DurableFile(path("file").utf8, draft: Array(path("draft").utf8)).write([8])
        #expect(try names() == ["file"])
    }

    @Test("the permissions are the given ones", arguments: [0o600, 0o640] as [UInt32])
    func permissions(mode: UInt32) throws {
        try file("file").write([], mode: mode)
        var status = stat()
        #expect(unsafe stat(path("file"), &status) == 0 && status.st_mode & 0o777 == mode)
    }

    @Test("the longest name works")
    func longName() throws {
        let name = String(repeating: "n", count: 255)
        try file(name).write([], replacing: false)
        #expect(try names() == [name])
    }

    @Test("paths are relative to an open folder")
    func relative() throws {
        try DurableFile.makeFolder(path("new").utf8)
        try DurableFile.makeFolder(path("tmp").utf8)
        let base = try FileDescriptor.open(folder, O_RDONLY | O_DIRECTORY)
        defer { base.close() }
        try DurableFile("new/1".utf8, draft: Array("tmp/1".utf8), in: base).write([1])
        #expect(try FileDescriptor.names(in: path("new")) == ["1"])
        #expect(try FileDescriptor.names(in: path("tmp")) == [])
        try DurableFile("new/1".utf8, in: base).remove()
        #expect(try FileDescriptor.names(in: path("new")) == [])
    }

    @Test(
        "missing folders are created, and existing ones stay", arguments: ["a", "a/b/c", "a//b/"])
    func folders(name: String) throws {
        try DurableFile.makeFolder(path(name).utf8)
        try DurableFile.makeFolder(path(name).utf8)
        #expect(try FileDescriptor.names(in: path(name)) == [])
        try file("file").write([])
        let failure = caught { () throws(FileError) in
            try DurableFile.makeFolder(path("file/b").utf8)
        }
        #expect(failure == FileError(.makeFolderAt(path("file/b")), ENOTDIR))
    }

    @Test("a folder of a file system that syncs only files needs no sync")
    func unsyncedFolder() throws {
        let folder = try FileDescriptor.open("/proc/self", O_RDONLY | O_DIRECTORY)
        defer { folder.close() }
        #expect(throws: FileError(.sync, EINVAL)) { try folder.sync() }
        try folder.syncFolder()
        try FileDescriptor.syncFolder(at: "/proc/self".utf8)
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
    private func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }
    private func file(_ name: String) -> DurableFile { DurableFile(path(name).utf8) }
    private func names() throws -> [String] { try FileDescriptor.names(in: folder).sorted() }
    private func text(_ name: String) throws -> String {
        try String(contentsOf: url(name), encoding: .utf8)
    }

    private func caught(_ body: () throws(FileError) -> Void) -> FileError? {
        do throws(FileError) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}
