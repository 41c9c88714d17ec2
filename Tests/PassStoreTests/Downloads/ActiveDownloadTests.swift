import Foundation
import Glibc
import PassStore
import Synchronization
import Testing

@Suite("A download belongs to one process at a time, and others can watch its progress")
struct ActiveDownloadTests: DownloadSuite {
    let scratch = Scratch()

    @Test("while one process works on it, no other gets it, and all can see it")
    func one() throws {
        let (first, second) = (try filled(), try queue())
        let active = try #require(try first.begin(1))
        #expect(try second.begin(1) == nil)
        #expect(try first.begin(1) == nil)
        #expect(active.download.state == .active)
        #expect(try second.download(1)?.state == .active)
        #expect(try second.downloads().map(\.state) == [.active])
        try active.release()
        #expect(try second.download(1)?.state == .waiting)
        let next = try #require(try second.begin(1))
        #expect(try first.begin(1) == nil)
        try next.release()
    }

    @Test("of many concurrent processes one gets it, even while its file is created and deleted")
    func many() async throws {
        try FileManager.default.createDirectory(at: scratch.url, withIntermediateDirectories: true)
        let queue = try DownloadQueue.temporary(in: scratch.url.path)
        try queue.add([DownloadRequest(url: url)])
        let count = Count()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    while count.begun.load(ordering: .relaxed) < 2000 {
                        guard let active = try queue.begin(1) else { continue }
                        #expect(count.working.add(1, ordering: .relaxed).newValue == 1)
                        count.begun.add(1, ordering: .relaxed)
                        sched_yield()
                        count.working.subtract(1, ordering: .relaxed)
                        // Nothing was received, so the file is deleted.
                        try active.release()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private final class Count: Sendable {
        let begun = Atomic(0)
        let working = Atomic(0)
    }

    @Test("a download dropped without a result is waiting")
    func dropped() throws {
        let queue = try filled()
        do {
            let active = try #require(try queue.begin(1))
            try write("half", active)
        }
        #expect(try queue.download(1)?.state == .waiting)
        #expect(try queue.begin(1) != nil)
    }

    @Test("its progress and size are visible to others")
    func progress() throws {
        let (queue, other) = (try filled(), try self.queue())
        let active = try #require(try queue.begin(1))
        try respond(active, validator: "\"1\"")
        try write("1234", active)
        #expect(try active.noteProgress(received: 4, timeRemaining: .seconds(3)) == .active)
        var seen = try #require(try other.download(1))
        #expect(seen.progress == 0.4)
        #expect(seen.timeRemaining == .seconds(3))
        #expect(seen.expectedContentLength == 10)
        #expect(seen.url == "https://cdn.example.com/a")
        #expect(seen.contentURL == url)
        #expect(seen.contentType == "application/vnd.apple.pkpass")
        #expect(seen.contentDisposition == "attachment; filename=a.pkpass")
        #expect(seen.validator == "\"1\"")
        #expect(seen.wasResumed == false)
        try write("56", active)
        #expect(try other.download(1)?.receivedContentLength == 6)
        try active.wait(for: error, until: Date(timeIntervalSince1970: 2_000_000_000), attempts: 1)
        seen = try #require(try other.download(1))
        #expect(seen.state == .waiting)
        #expect(seen.error == error)
        #expect(seen.attempts == 1)
        #expect(seen.nextAttempt == Date(timeIntervalSince1970: 2_000_000_000))
        #expect(seen.timeRemaining == nil)
        #expect(seen.receivedContentLength == 6)
        #expect(try other.resume([1]).first?.nextAttempt == nil)
    }

    @Test("the process that works on it learns of requests to pause or cancel it")
    func wanted() throws {
        let (queue, other) = (try filled(), try self.queue())
        var active = try #require(try queue.begin(1))
        try respond(active, validator: "\"1\"")
        try write("1234", active)
        #expect(try other.pause([1]).map(\.state) == [.paused])
        #expect(try active.noteProgress(received: 4, timeRemaining: nil) == .paused)
        #expect(try other.resume([1]).map(\.state) == [.active])
        #expect(try active.noteProgress(received: 4, timeRemaining: nil) == .active)
        try other.pause([1])
        try active.release()
        #expect(try other.download(1)?.state == .paused)
        #expect(try other.download(1)?.receivedContentLength == 4)
        #expect(try queue.begin(1) == nil)
        #expect(try other.resume([1]).map(\.state) == [.waiting])
        active = try #require(try queue.begin(1))
        #expect(active.download.receivedContentLength == 4)
        #expect(try other.cancel([1]).map(\.state) == [.cancelled])
        #expect(try active.noteProgress(received: 4, timeRemaining: nil) == .cancelled)
        #expect(scratch.names("downloads") == ["1.part"])
        try active.release()
        #expect(scratch.names("downloads") == [])
        #expect(try other.download(1)?.state == .cancelled)
    }

    @Test("other users cannot read its file")
    func permissions() throws {
        let active = try #require(try filled().begin(1))
        for (name, permissions) in [("downloads", 0o700), ("downloads/\(active.fileName)", 0o600)] {
            let path = scratch.url.appendingPathComponent(name).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == permissions)
        }
        try active.release()
    }

    @Test("while a program is still writing to the file, no process gets it")
    func writer() throws {
        let queue = try filled()
        let active = try #require(try queue.begin(1))
        try write("1234", active)
        let number = unsafe open(file(active).path, O_RDWR)
        // F_OFD_SETLK on the second byte.
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_start = 1
        lock.l_len = 1
        #expect(unsafe fcntl(number, 37, &lock) == 0)
        try active.release()
        #expect(try queue.begin(1) == nil)
        #expect(try queue.download(1)?.state == .active)
        close(number)
        #expect(try queue.begin(1) != nil)
    }

    @Test("a row lost from the index is restored by the process that works on the download")
    func lostRow() throws {
        let queue = try filled()
        let active = try #require(try queue.begin(1))
        try respond(active, validator: "\"1\"")
        try write("1234", active)
        try scratch.sqlite("DELETE FROM downloads")
        #expect(try queue.downloads() == [])
        #expect(try active.noteProgress(received: 4, timeRemaining: nil) == .active)
        try active.release()
        #expect(try queue.downloads().map(\.contentURL) == [url])
        #expect(try queue.begin(1)?.download.receivedContentLength == 4)
    }
}
