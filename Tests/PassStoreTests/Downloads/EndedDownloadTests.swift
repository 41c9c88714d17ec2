import Foundation
import PassStore
import Testing

@Suite("A finished download leaves only its record")
struct EndedDownloadTests: DownloadSuite {
    let scratch = Scratch()

    enum End: CaseIterable { case finished, failed }

    @Test(
        "its file is deleted when it ends, whatever others requested in the meantime",
        arguments: End.allCases)
    func ends(_ end: End) throws {
        for wanted in [Download.State.waiting, .paused, .cancelled] {
            let other = try filled()
            let queue = try self.queue()
            let id = try #require(try queue.downloads(in: [.waiting]).first?.id)
            let active = try #require(try queue.begin(id))
            try respond(active, validator: "\"1\"", size: nil)
            try write("0123456789", active)
            if wanted == .paused { try other.pause([id]) }
            if wanted == .cancelled { try other.cancel([id]) }
            #expect(FileManager.default.fileExists(atPath: file(active).path))
            switch end {
            case .finished: try active.finish(outcome: "added")
            case .failed: try active.fail(error)
            }
            let ended = try #require(try other.download(id))
            #expect(ended.receivedContentLength == 10)
            if end == .finished {
                #expect(ended.state == .finished)
                #expect(ended.progress == 1)
                #expect(ended.outcome == "added")
                #expect(ended.error == nil)
                #expect(ended.attempts == 0)
            } else {
                #expect(ended.state == (wanted == .cancelled ? .cancelled : .failed))
                #expect(ended.progress == 0)
                #expect(ended.error == error)
                #expect(ended.attempts == 1)
            }
            #expect(scratch.names("downloads") == [])
            #expect(try other.begin(id) == nil)
            #expect(scratch.names("downloads") == [])
        }
    }

    @Test("cancelling deletes the partial file if no process works on it")
    func cancelled() throws {
        let queue = try filled()
        let active = try #require(try queue.begin(1))
        try respond(active, validator: "\"1\"")
        try write("1234", active)
        try active.release()
        #expect(scratch.names("downloads") == ["1.part"])
        try queue.cancel([1])
        #expect(scratch.names("downloads") == [])
    }

    @Test("a download that received nothing leaves no file")
    func nothing() throws {
        let queue = try filled()
        try #require(try queue.begin(1)).wait(
            for: error, until: .now, attempts: 1)
        #expect(scratch.names("downloads") == [])
        #expect(try queue.begin(77) == nil)
        #expect(scratch.names("downloads") == [])
    }

    @Test("opening the queue deletes the files of killed processes, and no others")
    func sweep() throws {
        let queue = try filled()
        try queue.add((0..<4).map { DownloadRequest(url: "\($0)") })
        try queue.pause([1])
        let held = try #require(try queue.begin(2))
        try queue.cancel([2, 3])
        let folder = scratch.url.appendingPathComponent("downloads")
        for name in ["1.part", "2.part", "3.part", "4.part", "77.part", "007.part", "notes"] {
            try Data("body".utf8).write(to: folder.appendingPathComponent(name), options: [])
        }
        _ = DownloadQueue(of: try PassLibrary(at: scratch.url, for: .reading))
        #expect(scratch.names("downloads").count == 7)
        _ = try self.queue()
        #expect(
            scratch.names("downloads") == ["007.part", "1.part", "2.part", "4.part", "notes"])
        try held.release()
        #expect(scratch.names("downloads") == ["007.part", "1.part", "4.part", "notes"])
    }
}
