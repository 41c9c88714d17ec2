import Foundation
import PassStore

/// Requirements of tests of downloads: a library, and operations on a download in it.
protocol DownloadSuite {
    var scratch: Scratch { get }
}

extension DownloadSuite {
    var url: String { "https://example.com/a.pkpass" }

    var error: DownloadError {
        DownloadError(code: "timeout", failure: "nothing came for 60 seconds")
    }

    func queue() throws -> DownloadQueue {
        DownloadQueue(of: try PassLibrary(at: scratch.url, for: .writing))
    }

    /// A queue with one download.
    func filled() throws -> DownloadQueue {
        let queue = try queue()
        try queue.add([DownloadRequest(url: url)])
        return queue
    }

    func file(_ active: ActiveDownload) -> URL {
        scratch.url.appendingPathComponent("downloads/\(active.fileName)")
    }

    /// Writes to the existing file, as the fetch program does.
    func write(_ text: String, _ active: ActiveDownload) throws {
        let handle = try FileHandle(forWritingTo: file(active))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    /// Responds like a server that sends only a validator with a range.
    func respond(
        _ active: ActiveDownload, validator: String?, size: Int? = 10, offset: Int = 0
    ) throws {
        try active.noteResponse(
            url: "https://cdn.example.com/a",
            contentType: offset == 0 ? "application/vnd.apple.pkpass" : nil,
            contentDisposition: offset == 0 ? "attachment; filename=a.pkpass" : nil,
            validator: validator,
            expectedContentLength: size, offset: offset)
    }
}
