import Foundation
import Glibc
import Testing

@testable import Platform

@Suite("A folder is listed with the types of its entries")
struct EntriesTests {
    @Test("each entry once, and again from the start")
    func types() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-entries-\(UUID().uuidString)").path
        try DurableFile.makeFolder("\(folder)/folder/within".utf8)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(filePath: "\(folder)/.ü"))
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/link", withDestinationPath: "folder")
        try #require(unsafe mkfifo("\(folder)/pipe", 0o600) == 0)
        let open = try FileDescriptor.open(folder, O_RDONLY | O_DIRECTORY)
        defer { open.close() }
        for _ in 0..<2 {
            var types: [String: EntryType] = [:]
            try open.forEachEntry { name, type in
                let known = types.updateValue(type, forKey: String(fileName: name))
                #expect(known == nil)
            }
            #expect(types == [".ü": .file, "folder": .folder, "link": .link, "pipe": .other])
        }
        #expect(try FileDescriptor.names(in: folder).sorted() == [".ü", "folder", "link", "pipe"])
    }

    @Test("a file cannot be listed")
    func file() throws {
        #expect(throws: FileError(.open, ENOTDIR)) { try FileDescriptor.names(in: "/dev/null") }
        let file = try FileDescriptor.open("/dev/null", O_RDONLY)
        defer { file.close() }
        #expect(throws: FileError(.open, ENOTDIR)) { try file.forEachEntry { _, _ in } }
    }
}
