import Foundation
import PassStore
import PassVerification
import Synchronization
import Testing

@Suite("Downloads are recovered from a damaged index as far as it is readable")
struct SalvagedDownloadsTests {
    private let scratch = Scratch()
    private let findings = Findings()
    private let verifier = PassVerifier()

    private final class Findings: Sendable {
        let all = Mutex<[LibraryFinding]>([])
    }

    private let mail = Origin(source: "/mail/inbox", messageID: "<1@example.com>")

    /// A library that is repaired when it is opened.
    private func open() throws -> PassLibrary {
        let (findings, verifier) = (findings, verifier)
        let mending = IndexMending {
            verifier.verify(Array($0)).verified
        } report: { finding in
            findings.all.withLock { $0.append(finding) }
        }
        return try PassLibrary(at: scratch.url, for: .writing, mending: mending)
    }

    /// A waiting, a paused, a finished and a failed download, and one that has received a part of
    /// its body.
    private func fill() throws -> [Download] {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass().incoming()])
        let queue = DownloadQueue(of: library)
        try queue.add(
            (1...5).map { DownloadRequest(url: "https://example.com/\($0)", origin: mail) })
        try queue.pause([2])
        try #require(try queue.begin(3)).finish(outcome: "added")
        try #require(try queue.begin(4)).fail(DownloadError(code: "status", failure: "404"))
        let active = try #require(try queue.begin(5))
        try Data("1234".utf8).write(
            to: scratch.url.appendingPathComponent("downloads/\(active.fileName)"), options: [])
        try active.noteResponse(
            url: "https://example.com/5", contentType: nil, contentDisposition: nil,
            validator: "\"1\"", expectedContentLength: 8, offset: 0)
        try active.wait(
            for: DownloadError(code: "cut", failure: "the end is missing"), until: .now,
            attempts: 1)
        return try queue.downloads()
    }

    @Test("all of them, with their IDs, if only passes are damaged")
    func whole() throws {
        let before = try fill()
        try scratch.sqlite("UPDATE versions SET verdict = 'perhaps'")
        let library = try open()
        _ = try library.add([TestPass().incoming()])
        let queue = DownloadQueue(of: library)
        #expect(try queue.downloads() == before)
        #expect(findings.all.withLock { $0.count } == 1)
        #expect(findings.all.withLock { $0.first?.rebuilt?.hasAllDownloads } == true)
        let next = try queue.add([DownloadRequest(url: "https://example.com/6")])
        #expect(next.map { $0?.id } == [6])
        #expect(try queue.begin(5)?.download.receivedContentLength == 4)
    }

    @Test("a row with invalid values is paused, and the others are kept")
    func row() throws {
        let before = try fill()
        try scratch.sqlite("UPDATE downloads SET state = 'perhaps', attempts = 'x' WHERE id = 2")
        let queue = DownloadQueue(of: try open())
        let after = try queue.downloads()
        #expect(after.map(\.id) == [1, 2, 3, 4, 5])
        #expect(after.map(\.contentURL) == before.map(\.contentURL))
        #expect(after.map(\.state) == [.waiting, .paused, .finished, .failed, .waiting])
        #expect(after.last == before.last)
        #expect(findings.all.withLock { $0.count } == 1)
    }

    @Test(
        "one unreadable column neither restarts a stopped download nor changes its options",
        arguments: [
            "attempts", "createdAt", "expectedContentLength", "nextAttempt", "timeRemaining",
        ])
    func column(name: String) throws {
        let queue = DownloadQueue(of: try PassLibrary(at: scratch.url, for: .writing))
        let request = { DownloadRequest(url: $0, origin: mail, parent: 7, conditions: "{}") }
        try queue.add(["a", "b", "c"].map { request("https://example.com/\($0)") })
        try queue.pause([2])
        try queue.cancel([3])
        try scratch.sqlite("UPDATE downloads SET \(name) = 'x'")
        let after = try DownloadQueue(of: open()).downloads()
        #expect(after.map(\.state) == [.waiting, .paused, .cancelled])
        for download in after {
            #expect(download.origin == mail && download.parent == 7)
            #expect(download.conditions == "{}")
        }
    }

    @Test("after a pass is lost, its source can be fetched again")
    func lostPass() throws {
        _ = try fill()
        let file = try #require(scratch.files("passes").first)
        try FileManager.default.removeItem(at: scratch.url.appendingPathComponent("passes/\(file)"))
        _ = try PassLibrary.check(at: scratch.url, mend: true) { _ in nil }
        #expect(
            try DownloadQueue(of: open()).downloads().map(\.state)
                == [.waiting, .paused, .failed, .waiting])
    }

    @Test("unreadable downloads are reported, and the ID of an existing file is not reused")
    func lost() throws {
        _ = try fill()
        let index = scratch.url.appendingPathComponent("library.sqlite")
        try Data(repeating: 0x20, count: 8192).write(to: index)
        let queue = DownloadQueue(of: try open())
        #expect(try queue.downloads() == [])
        #expect(findings.all.withLock { $0.first?.rebuilt?.hasAllDownloads } == false)
        #expect(try queue.add([DownloadRequest(url: "a")]).map { $0?.id } == [6])
    }

    @Test("a check finds files in their folder that belong to no download")
    func check() throws {
        let before = try fill()
        let folder = scratch.url.appendingPathComponent("downloads")
        for name in ["3.part", "77.part", "notes"] {
            try Data("x".utf8).write(to: folder.appendingPathComponent(name))
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("78.part").path, withDestinationPath: "/tmp")
        let queue = DownloadQueue(of: try PassLibrary(at: scratch.url, for: .reading))
        let found = try PassLibrary.check(at: scratch.url, mend: false) { _ in nil }.findings
        #expect(found.map(\.code) == [.leftoverFile, .leftoverFile, .strayFile, .strayFile])
        #expect(
            found.map(\.path)
                == ["3.part", "77.part", "78.part", "notes"].map {
                    folder.appendingPathComponent($0).path
                })
        _ = try PassLibrary.check(at: scratch.url, mend: true) { _ in nil }
        #expect(scratch.names("downloads") == ["5.part", "78.part", "notes"])
        #expect(try queue.downloads() == before)
    }
}
