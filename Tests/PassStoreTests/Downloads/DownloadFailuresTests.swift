import Foundation
import PassStore
import Testing

@Suite("A download stores its failure as data")
struct DownloadFailuresTests {
    private let scratch = Scratch()

    private func queue(_ access: PassLibrary.Access = .writing) throws -> DownloadQueue {
        DownloadQueue(of: try PassLibrary(at: scratch.url, for: access))
    }

    private func fill() throws {
        let queue = try queue()
        try queue.add([DownloadRequest(url: "a")])
        try #require(try queue.begin(1)).fail(DownloadError(code: "status", failure: "{}"))
    }

    @Test("in a library and in a temporary queue")
    func kept() throws {
        try fill()
        #expect(
            try queue(.reading).download(1)?.error == DownloadError(code: "status", failure: "{}"))
        let folder = scratch.url.appendingPathComponent("temporary").path
        let queue = try DownloadQueue.temporary(in: folder)
        try queue.add([DownloadRequest(url: "a")])
        try #require(try queue.begin(1)).fail(DownloadError(code: "dns", failure: "{}"))
        #expect(try queue.download(1)?.error == DownloadError(code: "dns", failure: "{}"))
    }

    @Test("a text stored by an earlier version is kept, before and after the migration")
    func earlier() throws {
        try fill()
        try scratch.sqlite(
            """
            ALTER TABLE downloads DROP COLUMN failure;
            ALTER TABLE updates DROP COLUMN failure;
            UPDATE downloads SET errorDetail = 'it is busy';
            DELETE FROM grdb_migrations WHERE identifier LIKE '%: failures as data'
            """)
        let stored = DownloadError(code: "status", text: "it is busy")
        #expect(try queue(.reading).download(1)?.error == stored)
        let changing = try queue(.changing)
        #expect(try changing.download(1)?.error == stored)
        try changing.resume([1])
        #expect(try changing.download(1)?.error == stored)
        try #require(try changing.begin(1)).fail(DownloadError(code: "cut", failure: "{}"))
        #expect(try changing.download(1)?.error == DownloadError(code: "cut", failure: "{}"))
    }

    @Test("a failure stored by a later version does not make the library unreadable")
    func unknown() throws {
        try fill()
        try scratch.sqlite("UPDATE downloads SET failure = '{\"later\":{', errorCode = 'later'")
        #expect(try queue(.reading).download(1)?.error?.code == "later")
        #expect(try PassLibrary.check(at: scratch.url, mend: false) { _ in nil }.findings == [])
    }
}
