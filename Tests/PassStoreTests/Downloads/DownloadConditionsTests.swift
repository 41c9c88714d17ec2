import Foundation
import PassStore
import Testing

@Suite("A download keeps the options with which it was requested")
struct DownloadConditionsTests {
    private let scratch = Scratch()

    private func queue(_ access: PassLibrary.Access = .writing) throws -> DownloadQueue {
        DownloadQueue(of: try PassLibrary(at: scratch.url, for: access))
    }

    private func request(_ conditions: String?) -> DownloadRequest {
        DownloadRequest(url: "a", conditions: conditions)
    }

    @Test("until it is requested again with other options")
    func asked() throws {
        let queue = try queue()
        try queue.add([request("one")])
        #expect(try self.queue(.reading).download(1)?.conditions == "one")
        #expect(try queue.add([request("two")]).map { $0?.conditions } == ["two"])
        #expect(try self.queue(.reading).downloads().map(\.conditions) == ["two"])
        try queue.add([request(nil)])
        #expect(try queue.download(1)?.conditions == nil)
    }

    @Test("a link in a page neither changes them nor starts the download sooner")
    func linked() throws {
        let queue = try queue()
        try queue.add([request("one")])
        let error = DownloadError(code: "status", failure: "it is busy")
        try #require(try queue.begin(1)).wait(for: error, until: .now + 60, attempts: 1)
        try queue.add([request("two")], isWish: false)
        try queue.add([request(nil)], onlyNew: true, isWish: false)
        let download = try #require(try queue.download(1))
        #expect(download.conditions == "one")
        #expect(download.nextAttempt != nil)
        try queue.add([request("one")])
        #expect(try queue.download(1)?.nextAttempt == nil)
    }

    @Test("even while a process works on it, which does not restore the old options")
    func active() throws {
        let queue = try queue()
        try queue.add([request("one")])
        let active = try #require(try queue.begin(1))
        #expect(active.download.conditions == "one")
        try self.queue().add([request("two")])
        try active.noteProgress(received: 1, timeRemaining: nil)
        try active.release()
        #expect(try queue.begin(1)?.download.conditions == "two")
    }

    @Test("in a temporary queue too")
    func temporary() throws {
        try FileManager.default.createDirectory(
            at: scratch.url, withIntermediateDirectories: true)
        let queue = try DownloadQueue.temporary(in: scratch.url.path)
        try queue.add([request("one")])
        #expect(try queue.download(1)?.conditions == "one")
    }

    @Test("downloads without options, from an earlier version, resume")
    func earlier() throws {
        try queue().add([request("one")])
        try scratch.sqlite(
            """
            ALTER TABLE downloads DROP COLUMN conditions;
            DELETE FROM grdb_migrations WHERE identifier LIKE '5:%'
            """)
        let reading = try queue(.reading)
        #expect(try reading.downloads().map(\.contentURL) == ["a"])
        let changing = try queue(.changing)
        #expect(try changing.download(1)?.conditions == nil)
        try changing.add([request("two")])
        #expect(try reading.download(1)?.conditions == "two")
    }
}
