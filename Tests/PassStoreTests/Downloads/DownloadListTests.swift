import PassStore
import Testing

@Suite("The download queue of a library can be listed by readers, and changed by writers")
struct DownloadListTests {
    private let scratch = Scratch()

    private func library(_ access: PassLibrary.Access = .writing) throws -> PassLibrary {
        try PassLibrary(at: scratch.url, for: access)
    }

    private func queue() throws -> DownloadQueue { DownloadQueue(of: try library()) }

    @Test("it is listed by state and page by page")
    func list() throws {
        let queue = try queue()
        try queue.add((0..<6).map { DownloadRequest(url: "\($0)") })
        try queue.pause([2, 5])
        try queue.cancel([3])
        let active = try #require(try queue.begin(4))
        #expect(try queue.downloads(in: [.waiting]).map(\.id) == [1, 6])
        #expect(try queue.downloads(in: [.active]).map(\.id) == [4])
        #expect(try queue.downloads(in: [.active, .paused]).map(\.id) == [2, 4, 5])
        #expect(try queue.downloads(in: [.finished]).isEmpty)
        #expect(try queue.downloads(in: []).isEmpty)
        #expect(try queue.downloads(after: 2, limit: 2).map(\.id) == [3, 4])
        #expect(try queue.downloads(in: [.waiting], after: 1, limit: 5).map(\.id) == [6])
        #expect(try queue.downloads(in: [.waiting], limit: 0).isEmpty)
        try active.release()
    }

    @Test("only ended downloads can be deleted, and no ID is reused")
    func remove() throws {
        let queue = try queue()
        try queue.add((0..<4).map { DownloadRequest(url: "\($0)") })
        try queue.pause([1])
        let active = try #require(try queue.begin(2))
        try queue.cancel([2, 4])
        #expect(try queue.remove([1, 2, 3, 4, 77]) == [4])
        try active.release()
        #expect(try queue.remove([2]) == [2])
        #expect(try queue.add([DownloadRequest(url: "4")]).map { $0?.id } == [5])
    }

    @Test("a library from before downloads existed has none, and gets a queue when it is written")
    func earlier() throws {
        _ = try library()
        try scratch.sqlite(
            """
            DROP TABLE downloads;
            ALTER TABLE updates DROP COLUMN failure;
            DELETE FROM grdb_migrations WHERE identifier LIKE '3:%' OR identifier LIKE '5:%'
                OR identifier LIKE '%: failures as data'
            """)
        let reading = DownloadQueue(of: try library(.reading))
        #expect(try reading.downloads() == [])
        #expect(try reading.download(1) == nil)
        let changing = DownloadQueue(of: try library(.changing))
        #expect(try changing.add([DownloadRequest(url: "a")]).count == 1)
        #expect(try reading.downloads().map(\.contentURL) == ["a"])
    }

    @Test("a reader changes nothing")
    func reading() throws {
        try queue().add([DownloadRequest(url: "a")])
        let queue = DownloadQueue(of: try library(.reading))
        #expect(throws: LibraryError.self) { try queue.add([DownloadRequest(url: "b")]) }
        #expect(throws: LibraryError.self) { try queue.pause([1]) }
        #expect(throws: LibraryError.self) { try queue.begin(1) }
        #expect(try queue.downloads().map(\.state) == [.waiting])
        #expect(scratch.names("downloads") == [])
    }
}
