import Foundation
import Glibc
import PassStore
import Testing

/// The downloading processes are this test program itself, started again to run the last test in
/// this file.
@Suite("Any number of processes work on a download queue, and each may be killed at any moment")
struct DownloadProcessesTests {
    private let scratch = Scratch()
    private var library: URL { scratch.url.appendingPathComponent("library") }

    @Test(
        "no download is lost or given to two processes, and each one resumes",
        .timeLimit(.minutes(5)))
    func killed() throws {
        let queue = DownloadQueue(of: try PassLibrary(at: library, for: .writing))
        let count = 120
        try queue.add((0..<count).map { DownloadRequest(url: "\($0)") })
        var workers = try (0..<3).map { try Downloader(scratch.url, name: "\($0)") }
        var kills = 0
        var resumed = 0
        while try queue.downloads(in: [.finished]).count < count {
            usleep(useconds_t.random(in: 100_000..<400_000))
            let number = Int.random(in: 0..<workers.count)
            workers[number].kill()
            kills += 1
            let downloads = try queue.downloads()
            #expect(downloads.count == count)
            #expect(downloads.count { $0.state == .active } <= workers.count - 1)
            resumed = max(resumed, downloads.count { $0.wasResumed })
            workers[number] = try Downloader(scratch.url, name: "\(workers.count)-\(kills)")
            try #require(kills < 500)
        }
        for worker in workers { worker.kill() }
        let downloads = try queue.downloads()
        #expect(downloads.allSatisfy { $0.state == .finished && $0.progress == 1 })
        #expect(downloads.allSatisfy { $0.receivedContentLength == Downloader.size })
        #expect(resumed > 0, "no kill hit a body on its way")
        let lines = try Downloader.report(scratch.url)
        #expect(lines.filter { $0.hasPrefix("wrong") } == [])
        let finished = lines.filter { $0.hasPrefix("finished") }
        #expect(Set(finished).count == finished.count)
        // The files of the last process are deleted.
        let folder = library.appendingPathComponent("downloads").path
        _ = DownloadQueue(of: try PassLibrary(at: library, for: .writing))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        #expect(try PassLibrary.check(at: library, mend: false) { _ in nil }.findings == [])
    }

    @Test("requests added together appear together", .timeLimit(.minutes(3)))
    func adding() throws {
        _ = try PassLibrary(at: library, for: .writing)
        var cut = 0
        for round in 0..<12 {
            let adder = try Downloader(scratch.url, name: "\(round)", adding: true)
            adder.waitForReport()
            usleep(useconds_t.random(in: 0..<100_000))
            adder.kill()
            let reported = try Downloader.report(scratch.url).filter { $0.hasPrefix("added") }.count
            let queue = DownloadQueue(of: try PassLibrary(at: library, for: .reading))
            let count = try queue.downloads().count
            #expect(count.isMultiple(of: Downloader.batch))
            #expect(count >= reported * Downloader.batch)
            cut += 1
        }
        #expect(cut == 12)
    }

    @Test(.enabled(if: Downloader.isDownloader))
    func downloader() throws {
        try Downloader.run()
    }
}

/// A process that works on the queue until it is empty, or adds to it until it is killed.
private final class Downloader {
    static let size = 50_000
    static let batch = 250

    private let process = Process()
    private let started: Int
    private let report: URL

    init(_ folder: URL, name: String, adding: Bool = false) throws {
        report = folder.appendingPathComponent("report")
        if !FileManager.default.fileExists(atPath: report.path) { try Data().write(to: report) }
        started = try Data(contentsOf: report).count
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--testing-library", "swift-testing", "--filter", "DownloadProcessesTests/downloader",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "DOWNLOADER_FOLDER": folder.path, "DOWNLOADER_NAME": name,
            "DOWNLOADER_ADDS": adding ? "1" : "",
        ]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func waitForReport() {
        while process.isRunning, (try? Data(contentsOf: report).count) == started { usleep(2000) }
    }

    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// All reports of the processes.
    static func report(_ folder: URL) throws -> [String] {
        try String(contentsOf: folder.appendingPathComponent("report"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    static var isDownloader: Bool {
        ProcessInfo.processInfo.environment["DOWNLOADER_FOLDER"] != nil
    }

    private static func say(_ line: String, _ folder: URL) {
        let number = unsafe open(folder.appendingPathComponent("report").path, O_WRONLY | O_APPEND)
        let bytes = Array("\(line)\n".utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
        close(number)
    }

    /// The work of the process.
    static func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = URL(fileURLWithPath: environment["DOWNLOADER_FOLDER"] ?? "")
        let library = try PassLibrary(at: folder.appendingPathComponent("library"), for: .writing)
        let queue = DownloadQueue(of: library)
        if environment["DOWNLOADER_ADDS"] == "1" {
            for number in 0... {
                let name = "\(environment["DOWNLOADER_NAME"] ?? "")-\(number)"
                try queue.add((0..<batch).map { DownloadRequest(url: "\(name)-\($0)") })
                say("added \(name)", folder)
            }
        }
        while true {
            let waiting = try queue.downloads(in: [.waiting])
            if waiting.isEmpty { usleep(10_000) }
            for download in waiting {
                guard let active = try queue.begin(download.id) else { continue }
                try fetch(active, queue, folder)
            }
        }
    }

    /// Slowly fetches a body whose bytes encode their offsets, from the end of the bytes received
    /// before.
    private static func fetch(
        _ active: ActiveDownload, _ queue: DownloadQueue, _ folder: URL
    ) throws {
        // A lock of another kind (flock) detects that two processes work on it at once.
        let claim = unsafe open(
            folder.appendingPathComponent("claim-\(active.id)").path, O_RDWR | O_CREAT | O_CLOEXEC,
            0o600)
        defer { close(claim) }
        if flock(claim, LOCK_EX | LOCK_NB) != 0 { say("wrong: \(active.id) is two's", folder) }
        let offset = active.download.receivedContentLength
        if offset > 0, active.download.validator != "\"1\"" {
            say("wrong: \(active.id) goes on from nowhere", folder)
        }
        let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 % 251) })
        let path = "\(queue.folder)/\(active.fileName)"
        let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        try active.noteResponse(
            url: active.download.contentURL, contentType: nil, contentDisposition: nil,
            validator: "\"1\"", expectedContentLength: size, offset: offset)
        var place = offset
        while place < size {
            let piece = [UInt8](body[place..<min(size, place + 10_000)])
            _ = unsafe piece.withUnsafeBytes {
                unsafe pwrite(file, $0.baseAddress, $0.count, off_t(place))
            }
            place += piece.count
            try active.noteProgress(received: place, timeRemaining: nil)
            usleep(2000)
        }
        if try Data(contentsOf: URL(fileURLWithPath: path)) != body {
            say("wrong: \(active.id) has another body", folder)
        }
        // Reported first, since a process may be killed between the end of a row and its report.
        try active.finish(outcome: "added")
        say("finished \(active.id)", folder)
    }
}
