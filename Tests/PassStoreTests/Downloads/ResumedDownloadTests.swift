import Foundation
import PassStore
import Testing

@Suite("A download resumes at the end of the bytes received")
struct ResumedDownloadTests: DownloadSuite {
    let scratch = Scratch()

    @Test("it resumes from the partial file if there is a validator")
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

        // It starts over if the file was deleted.
        try FileManager.default.removeItem(at: file(active))
        active = try #require(try queue.begin(1))
        #expect(active.download.receivedContentLength == 0)
        #expect(active.download.validator == nil)
        #expect(active.download.wasResumed == false)
        try respond(active, validator: nil)
        try write("1234", active)
        try active.release()

        // It starts over without a validator.
        active = try #require(try queue.begin(1))
        #expect(active.download.receivedContentLength == 0)
        #expect(try Data(contentsOf: file(active)).isEmpty)
        try active.release()
    }

    @Test("the beginning of one body is never joined with another body")
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
            // The server sends another body from its start, and this process exits immediately.
            try respond(active, validator: "\"2\"")
        }
        #expect(try queue.download(1)?.validator == "\"2\"")
    }

    @Test("a damaged download starts over")
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
