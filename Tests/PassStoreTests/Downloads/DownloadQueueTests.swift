import Foundation
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("A library has a queue of downloads")
struct DownloadQueueTests {
    private let scratch = Scratch()

    private func library(_ access: PassLibrary.Access = .writing) throws -> PassLibrary {
        try PassLibrary(at: scratch.url, for: access)
    }

    private func queue() throws -> DownloadQueue { DownloadQueue(of: try library()) }

    private let mail = Origin(
        source: "/mail/inbox", messageID: "<1@example.com>", from: "Zoë <zoe@example.com>",
        date: Date(timeIntervalSince1970: 1_700_000_000), subject: "Ihre Fahrkarte", part: "1.2")

    @Test("an added download is waiting, also when the library is opened again")
    func add() throws {
        let requests = [
            DownloadRequest(url: "https://example.com/a.pkpass"),
            DownloadRequest(url: "https://example.com/b?c=ü#d", origin: mail, parent: 1),
        ]
        let before = Date.now
        let added = try queue().add(requests).compactMap(\.self)
        #expect(added.map(\.id) == [1, 2])
        let later = DownloadQueue(of: try library(.reading))
        #expect(try later.downloads() == added)
        #expect(try later.download(2) == added.last)
        #expect(try later.download(3) == nil)
        for (download, request) in zip(added, requests) {
            #expect(download.contentURL == request.url)
            #expect(download.origin == request.origin)
            #expect(download.parent == request.parent)
            #expect(download.state == .waiting)
            #expect(download.expectedContentLength == nil)
            #expect(download.receivedContentLength == 0)
            #expect(download.progress == 0)
            #expect(download.timeRemaining == nil)
            #expect(download.error == nil)
            #expect(download.attempts == 0)
            #expect(download.nextAttempt == nil)
            #expect(download.createdAt >= before.addingTimeInterval(-0.001))
            #expect(download.updatedAt == download.createdAt)
            #expect(download.outcome == nil)
        }
    }

    /// The ways in which a download ends, and the effect of requesting its URL again.
    enum End: CaseIterable { case waiting, paused, finished, failed, cancelled }

    private func bring(_ id: Int64, to end: End, _ queue: DownloadQueue) throws {
        switch end {
        case .waiting: break
        case .paused: try queue.pause([id])
        case .finished: try #require(try queue.begin(id)).finish(outcome: "added")
        case .failed:
            try #require(try queue.begin(id)).fail(DownloadError(code: "dns", failure: "no name"))
        case .cancelled: try queue.cancel([id])
        }
    }

    @Test("an unfinished download is not added twice, a finished one only on request")
    func twice() throws {
        let queue = try queue()
        for (index, end) in End.allCases.enumerated() {
            let request = DownloadRequest(url: "https://example.com/\(index)")
            let first = try #require(try queue.add([request]).first ?? nil)
            try bring(first.id, to: end, queue)
            let onlyNew = try queue.add([request], onlyNew: true).first ?? nil
            let again = try #require(try queue.add([request]).first ?? nil)
            switch end {
            case .waiting, .paused:
                #expect(onlyNew?.id == first.id)
                #expect(again.id == first.id)
            case .finished, .failed, .cancelled:
                #expect(onlyNew == nil, "\(end)")
                #expect(again.id > first.id)
                #expect(again.state == .waiting)
            }
        }
        let request = DownloadRequest(url: "https://example.com/batch")
        let batch = try queue.add([request, request]).compactMap { $0?.id }
        #expect(batch.count == 2 && batch.first == batch.last)
    }

    @Test(
        "pausing, resuming and cancelling in each state",
        arguments: [
            (End.waiting, "pause", Download.State.paused), (.waiting, "resume", .waiting),
            (.waiting, "cancel", .cancelled), (.paused, "pause", .paused),
            (.paused, "resume", .waiting), (.paused, "cancel", .cancelled),
            (.finished, "pause", .finished), (.finished, "resume", .finished),
            (.finished, "cancel", .finished), (.failed, "pause", .failed),
            (.failed, "resume", .waiting), (.failed, "cancel", .failed),
            (.cancelled, "pause", .cancelled), (.cancelled, "resume", .cancelled),
            (.cancelled, "cancel", .cancelled),
        ])
    func wanted(_ end: End, _ verb: String, _ state: Download.State) throws {
        let queue = try queue()
        try queue.add([DownloadRequest(url: "a"), DownloadRequest(url: "b")])
        try bring(1, to: end, queue)
        let ids: [Int64] = [1, 77]
        let downloads =
            switch verb {
            case "pause": try queue.pause(ids)
            case "resume": try queue.resume(ids)
            default: try queue.cancel(ids)
            }
        #expect(downloads.map(\.id) == [1])
        #expect(downloads.map(\.state) == [state])
        #expect(try self.queue().download(1)?.state == state)
        #expect(try queue.download(2)?.state == .waiting)
    }

    @Test("ten thousand are added, paused, resumed and cancelled at once", .timeLimit(.minutes(1)))
    func many() throws {
        let queue = try queue()
        let requests = (0..<10_000).map { DownloadRequest(url: "https://example.com/\($0)") }
        let ids = try queue.add(requests).compactMap { $0?.id }
        #expect(ids == Array(1...10_000))
        #expect(try queue.add(requests).compactMap { $0?.id } == ids)
        #expect(try queue.pause(ids).allSatisfy { $0.state == .paused })
        #expect(try queue.resume(ids).count == 10_000)
        #expect(try self.queue().downloads(in: [.waiting]).map(\.contentURL) == requests.map(\.url))
        #expect(try queue.cancel(ids).allSatisfy { $0.state == .cancelled })
    }

    @Test("finished downloads are deleted after a month, unless a mail links to them again")
    func old() throws {
        let queue = try queue()
        try queue.add([
            DownloadRequest(url: "a"), DownloadRequest(url: "b", origin: mail),
            DownloadRequest(url: "c"), DownloadRequest(url: "d"), DownloadRequest(url: "e"),
        ])
        for id: Int64 in [1, 2, 3] { try bring(id, to: .finished, queue) }
        try queue.pause([4])
        let month = 30 * 24 * 3600 + 60
        try scratch.sqlite("UPDATE downloads SET updatedAt = updatedAt - \(month) WHERE id <> 3")
        try queue.add([DownloadRequest(url: "f")])
        #expect(try queue.downloads().map(\.id) == [2, 3, 4, 5, 6])
    }

    @Test("removing a pass does not affect downloads")
    func passes() throws {
        let library = try library()
        let queue = DownloadQueue(of: library)
        try queue.add([DownloadRequest(url: "a"), DownloadRequest(url: "b", origin: mail)])
        try bring(2, to: .finished, queue)
        let incoming = try TestPass().incoming()
        _ = try library.add([incoming])
        let before = try queue.downloads()
        #expect(try library.remove(incoming.pass.pass.identity))
        #expect(try queue.downloads() == before)
    }

    @Test("a temporary queue works the same way")
    func temporary() throws {
        try FileManager.default.createDirectory(at: scratch.url, withIntermediateDirectories: true)
        let queue = try DownloadQueue.temporary(in: scratch.url.path)
        try queue.add([DownloadRequest(url: "a"), DownloadRequest(url: "b")])
        let active = try #require(try queue.begin(1))
        try Data("body".utf8).write(to: scratch.url.appendingPathComponent(active.fileName))
        #expect(try queue.downloads().map(\.state) == [.active, .waiting])
        #expect(try queue.begin(1) == nil)
        try active.finish(outcome: "found")
        #expect(try queue.downloads().map(\.state) == [.finished, .waiting])
        #expect(try queue.cancel([2]).map(\.state) == [.cancelled])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == [])
    }
}
