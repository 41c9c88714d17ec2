import Foundation
import Glibc
import Testing

@testable import Platform

@Suite("inotify reports changes in folders")
struct InotifyTests {
    @Test("each change once, in order, with the exact names")
    func events() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-inotify-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let inotify = try Inotify()
        #expect(inotify.read() == [])
        let path = Array(folder.path.utf8)
        let watch = try inotify.watch(path, for: IN_CREATE | IN_DELETE_SELF)
        #expect(try inotify.watch(path + [0x2F], for: IN_CREATE | IN_DELETE_SELF) == watch)
        let long = String(repeating: "n", count: 255)
        for name in ["a", long, "\u{E9}"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: false)
        }
        let made = UInt32(IN_CREATE | IN_ISDIR)
        #expect(
            inotify.read()
                == ["a", long, "\u{E9}"].map {
                    Inotify.Event(watch: watch, mask: made, name: Array($0.utf8))
                })
        try FileManager.default.removeItem(at: folder)
        #expect(
            inotify.read() == [
                Inotify.Event(watch: watch, mask: UInt32(IN_DELETE_SELF)),
                Inotify.Event(watch: watch, mask: UInt32(IN_IGNORED)),
            ])
        #expect(throws: FileError(.watch, ENOENT)) {
            _ = try inotify.watch(path, for: IN_CREATE)
        }
    }

    @Test("a truncated event is ignored", arguments: 0...32)
    func cut(count: Int) {
        var bytes: [UInt8] = [7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0]
        bytes += Array("name".utf8) + [UInt8](repeating: 0, count: 12)
        let events = Inotify.events(bytes.span.extracting(first: count))
        let event = Inotify.Event(watch: 7, mask: 8, name: Array("name".utf8))
        #expect(events == (count == 32 ? [event] : []))
    }
}
