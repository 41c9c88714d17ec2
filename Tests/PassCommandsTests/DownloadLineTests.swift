import Fetching
import Foundation
import PassDownloads
import PassPresentation
import PassStore
import Testing

@testable import PassCommands

@Suite("A download is listed in one line: number, state, progress, URL and error")
struct DownloadLineTests {
    @Test("also with an unknown size, and with control characters escaped")
    func lines() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("downloads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let queue = try DownloadQueue.temporary(in: folder.path)
        let urls = ["https://a.example/1", "https://ada:secret@b.example/2", "x\u{1B}[31m\n", "d"]
        try queue.add(urls.map { DownloadRequest(url: $0) })
        let now = Date.now
        var active: [ActiveDownload] = []
        for (id, size, received) in [(1, 10_000_000, 4_200_000), (2, nil, 1500)]
            as [(Int64, Int?, Int)]
        {
            let download = try #require(try queue.begin(id))
            try download.noteResponse(
                url: "a", contentType: nil, contentDisposition: nil, validator: "\"1\"",
                expectedContentLength: size, offset: 0)
            try Data(count: received).write(
                to: folder.appendingPathComponent(download.fileName), options: [])
            try download.noteProgress(
                received: received, timeRemaining: size.map { _ in .seconds(6) })
            active.append(download)
        }
        let failed = try #require(try queue.begin(3))
        let text = "it said \u{1B}]0;x\u{7}\n\u{202E}no"
        try failed.fail(DownloadError(code: "status", text: text))
        let waiting = try #require(try queue.begin(4))
        try waiting.wait(
            for: DownloadError(FetchFailure(.stalled(host: "d", seconds: 60))), until: now + 90,
            attempts: 1)
        let terminal = Terminal(isTerminal: true, hasColours: false, width: 50)
        let downloads = try queue.downloads()
        #expect(
            downloadLines(downloads, now, isFull: false, on: terminal) == [
                "1  active   42% of 10 MB  0:06 left      https:/…",
                "2  active   1.5 kB        -              https:/…",
                #"3  failed   -             -              x\u{1B}…"#,
                #"    it said \u{1B}]0;x\u{7}\u{A}\u{202E}no"#,
                "4  waiting  -             again in 1:30  d", "    d sent nothing for 60 seconds",
            ])
        #expect(
            downloadLines(downloads, now, isFull: true, on: terminal) == [
                "1  active   42% of 10 MB  0:06 left      https://a.example/1",
                "2  active   1.5 kB        -              https://b.example/2",
                #"3  failed   -             -              x\u{1B}[31m\u{A}     "#
                    + #"it said \u{1B}]0;x\u{7}\u{A}\u{202E}no"#,
                "4  waiting  -             again in 1:30  d                    d sent nothing for 60 seconds",
            ])
        #expect(active.map(\.download.id) == [1, 2])
    }
}
