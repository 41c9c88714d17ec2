import Foundation
import Glibc
import MailSource
import PassStore
import Testing

@testable import PassImport

@Suite("Reading a single folder shares its cache with reading the tree")
struct FollowedChangesTests {
    private let rerun: Rerun

    init() throws {
        var rerun = try Rerun()
        rerun.options.smallestMailbox = 1
        self.rerun = rerun
    }

    private func message(_ name: String) throws -> String {
        MailTree.message(name, try MailTree.sample("trusted/boarding-pass-air-gate-4"))
    }

    /// The sources in which passes were found, when reading a folder or the tree.
    private func sources(folder: String?) async throws -> [String] {
        try await Task.sleep(for: .milliseconds(20))
        defer { usleep(20_000) }
        let path = Path(rerun.tree.url.appendingPathComponent(folder ?? "mail").path)
        var sources: [String] = []
        _ = try await PassImport.run([folder == nil ? .path(path) : .folder(path)], rerun.options) {
            if case .pass(let found) = $0 { sources.append(found.source) }
        }
        return sources.map { $0.split(separator: "/").last.map(String.init) ?? "" }
    }

    @Test("files read by one are not read again by the other")
    func remembered() async throws {
        defer { rerun.remove() }
        for name in ["cur/1", "new/2", "tmp/3", ".sub/cur/4", ".sub/new/5", "6.eml"] {
            try rerun.tree.write(try message(name), to: "mail/\(name)")
        }
        #expect(try await sources(folder: "mail") == ["6.eml", "1", "2"])
        #expect(try await sources(folder: nil) == ["4", "5"])
        for name in ["new/7", ".sub/new/8"] {
            try rerun.tree.write(try message(name), to: "mail/\(name)")
        }
        try rerun.tree.shell("mv mail/new/2 mail/cur/2:2,S")
        #expect(try await sources(folder: "mail/.sub") == ["8"])
        #expect(try await sources(folder: "mail") == ["7"])
        #expect(try await sources(folder: nil) == [])
    }

    @Test("of a small mailbox only appended mail is read, whichever read it first")
    func mailboxes() async throws {
        defer { rerun.remove() }
        let one = MailTree.mbox([try message("one")])
        try rerun.tree.write(one, to: "mail/box")
        try rerun.tree.write(one, to: "mail/sub/box")
        #expect(try await sources(folder: "mail") == ["box"])
        #expect(try await sources(folder: nil) == ["box"])
        for smallest in [1, 256 << 10] {
            for name in ["mail/box", "mail/sub/box"] {
                let file = try FileHandle(
                    forWritingTo: rerun.tree.url.appendingPathComponent(name))
                try file.seekToEnd()
                try file.write(contentsOf: Data(one.utf8))
                try file.close()
            }
            var rerun = rerun
            rerun.options.smallestMailbox = smallest
            let result = try await rerun.again()
            #expect(result.summary.messages == 2)
        }
    }

    @Test("files being written, and an excluded folder, are skipped")
    func leftOut() async throws {
        defer { rerun.remove() }
        for name in ["1.eml", "2.eml", "out/3.eml", "in/4.eml"] {
            try rerun.tree.write(try message(name), to: "mail/\(name)")
        }
        let url = rerun.tree.url
        var again = rerun
        again.options.unfinished = [Path(url.appendingPathComponent("mail/2.eml").path)]
        again.options.folderLeftOut = Path(url.appendingPathComponent("mail/./out").path)
        #expect(try await again.again().summary.candidates == 2)
        #expect(try await rerun.again().summary.candidates == 2)
    }

    @Test("a cancelled run stops, and the next one does the rest")
    func cancelled() async throws {
        defer { rerun.remove() }
        for number in 0..<600 {
            try rerun.tree.write(try message("\(number)"), to: "mail/cur/\(number)")
        }
        try rerun.tree.shell("mkdir mail/new")
        let rerun = rerun
        let task = Task {
            var found = 0
            _ = try await PassImport.run(
                [.path(Path(rerun.tree.url.appendingPathComponent("mail").path))], rerun.options
            ) { _ in
                found += 1
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                #expect(found <= 256)
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await rerun.again().summary.candidates >= 344)
        #expect(try await rerun.again().summary.candidates == 0)
    }

    /// FAT stores whole seconds, so its files settle only after three seconds.
    @Test(
        "timestamps with fractions of a second settle sooner",
        arguments: [(-200, 1, true), (-50, 1, false), (-2000, 0, false), (-9000, 0, true)])
    func age(milliseconds: Int, fraction: Int, isSettled: Bool) {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let now = time.tv_sec * 1_000_000_000 + time.tv_nsec + milliseconds * 1_000_000
        var status = stat()
        status.st_ctim.tv_sec = now / 1_000_000_000
        status.st_ctim.tv_nsec = fraction == 0 ? 0 : max(now % 1_000_000_000, 1)
        status.st_mtim = status.st_ctim
        #expect(FileAge(settling: 100_000_000).isSettled(FileStamp(status)) == isSettled)
    }
}
