import Foundation
import PassStore
import Testing

@Suite("A download goes on where it was")
struct ResumedDownloadTests: DownloadSuite {
    let scratch = Scratch()

    @Test("it goes on from what is there, where something vouches for it")
    func resumption() throws {
        let queue = try filled()
        var active = try #require(try queue.begin(1))
        #expect(active.download.receivedContentLength == 0)
        try respond(active, validator: "\"1\"")
        try write("1234", active)
        try active.release()

        active = try #require(try self.queue().begin(1))
        #expect(active.download.receivedContentLength == 4)
        #expect(active.download.validator == "\"1\"")
        try respond(active, validator: "\"1\"", offset: 4)
        #expect(active.download.wasResumed)
        try write("567", active)
        try active.release()
        #expect(try queue.download(1)?.wasResumed == true)
        #expect(try queue.download(1)?.contentType == "application/vnd.apple.pkpass")

        // Somebody removed it: from the start.
        try FileManager.default.removeItem(at: file(active))
        active = try #require(try queue.begin(1))
        #expect(active.download.receivedContentLength == 0)
        #expect(active.download.validator == nil)
        #expect(active.download.wasResumed == false)
        try respond(active, validator: nil)
        try write("1234", active)
        try active.release()

        // Nothing vouches for these.
        active = try #require(try queue.begin(1))
        #expect(active.download.receivedContentLength == 0)
        #expect(try Data(contentsOf: file(active)).isEmpty)
        try active.release()
    }

    @Test("the beginning of one body is never taken for that of another")
    func otherBody() throws {
        let queue = try filled()
        do {
            let active = try #require(try queue.begin(1))
            try respond(active, validator: "\"1\"")
            try write("1234", active)
            try active.release()
        }
        do {
            let active = try #require(try queue.begin(1))
            // The server sends another body, from its start, and this process ends at once.
            try respond(active, validator: "\"2\"")
        }
        #expect(try queue.download(1)?.validator == "\"2\"")
    }

    @Test("what turned out to be damaged begins anew")
    func startOver() throws {
        let queue = try filled()
        var active = try #require(try queue.begin(1))
        try respond(active, validator: "\"1\"", offset: 0)
        try write("1234", active)
        try active.release()
        active = try #require(try queue.begin(1))
        try respond(active, validator: "\"1\"", offset: 4)
        try active.startOver()
        #expect(try Data(contentsOf: file(active)).isEmpty)
        #expect(active.download.wasResumed == false)
        #expect(active.download.validator == nil)
        #expect(active.download.receivedContentLength == 0)
        #expect(try queue.begin(1) == nil)
        try active.release()
        #expect(try queue.begin(1)?.download.validator == nil)
    }
}
