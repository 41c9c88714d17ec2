import Foundation
import Testing

@testable import PassStore

@Suite("Files are deleted from a library only while no process adds any")
struct LibraryLockTests {
    @Test(
        "each use of a library excludes conflicting uses",
        arguments: [
            (LibraryLock.Purpose.adding, LibraryLock.Purpose.adding, true),
            (.adding, .opening, true), (.adding, .removing, false),
            (.opening, .opening, false), (.opening, .adding, false), (.opening, .removing, false),
            (.removing, .adding, false), (.removing, .opening, false),
            (.removing, .removing, false),
        ])
    func excludes(first: LibraryLock.Purpose, second: LibraryLock.Purpose, isFree: Bool) throws {
        let scratch = Scratch()
        let folder = scratch.url.path
        try FileManager.default.createDirectory(
            at: scratch.url, withIntermediateDirectories: true)
        let wasFree = try LibraryLock.hold(for: first, in: folder, patience: .zero) {
            () throws(LibraryError) in
            do throws(LibraryError) {
                return try LibraryLock.hold(for: second, in: folder, patience: .zero) { true }
            } catch {
                guard case .locked = error else { throw error }
                return false
            }
        }
        #expect(wasFree == isFree)
        // Each lock is released at the end of its use.
        try LibraryLock.hold(for: .removing, in: folder, patience: .zero) {}
    }

    @Test(
        "opening a library for adding removes old drafts, while no process adds passes",
        arguments: [(25, true, false), (25, false, true), (23, true, true)])
    func drafts(hours: Double, isFree: Bool, stays: Bool) throws {
        let scratch = Scratch()
        _ = try PassLibrary(at: scratch.url, for: .writing)
        let draft = scratch.url.appendingPathComponent("temporary/1-draft")
        try Data("PK".utf8).write(to: draft)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -hours * 3600)],
            ofItemAtPath: draft.path)
        if isFree {
            _ = try PassLibrary(at: scratch.url, for: .reading)
            #expect(scratch.names("temporary") == ["1-draft"])
            _ = try PassLibrary(at: scratch.url, for: .writing)
        } else {
            try LibraryLock.hold(for: .adding, in: scratch.url.path, patience: .zero) {
                () throws(LibraryError) in
                _ = try PassLibrary(at: scratch.url, for: .writing)
            }
        }
        #expect(scratch.names("temporary") == (stays ? ["1-draft"] : []))
    }
}
