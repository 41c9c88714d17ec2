import Foundation
import Testing

@Suite("watch loses no pass, whatever happens to it")
struct WatchFailureTests {
    private static let count = 2000
    private let watching: Watching

    init() throws {
        watching = try Watching()
        try watching.shell("mkdir -p Maildir/cur Maildir/new Maildir/tmp")
    }

    @Test("a burst of 2,000 mails is imported and leaks no memory or file descriptors")
    func burst() throws {
        try watching.make(1...Self.count)
        try watching.start("Maildir")
        try watching.shell("mv mail/1 Maildir/new")
        try watching.wait(forPasses: [1])
        let files = try openFiles()
        try watching.shell("mv mail/* Maildir/new")
        try watching.wait(forPasses: Array(1...Self.count))
        let memory = try residentMegabytes()
        // Cause thousands of events without new mail.
        for _ in 0..<5 {
            try watching.shell("mv Maildir/new/* Maildir/cur; mv Maildir/cur/* Maildir/new")
        }
        try watching.make(3001...3001)
        try watching.shell("mv mail/3001 Maildir/new")
        try watching.wait { watching.added.contains(3001) }
        #expect(try openFiles() <= files + 2)
        #expect(try residentMegabytes() < memory + 40)
        #expect(try watching.end() == 0)
        #expect(watching.added.count == Self.count + 1)
        #expect(watching.errors == "")
    }

    @Test(
        "terminated halfway, it has stored what it reported, and the next run finds the rest",
        arguments: [(SIGTERM, Int32(0)), (SIGKILL, SIGKILL)])
    func ended(signal: Int32, status: Int32) throws {
        try watching.make(1...Self.count)
        try watching.start("Maildir")
        try watching.shell("mv mail/* Maildir/new")
        try watching.wait { !watching.added.isEmpty }
        #expect(try watching.end(by: signal) == status)
        let first = watching.added
        #expect(first.count < Self.count, "it came to its end")
        #expect(Set(first).isSubset(of: try watching.library))
        try watching.start("Maildir")
        // Passes that were stored, but whose sources were not yet cached, are read again and not
        // reported again.
        let known = try Set(watching.library).union(first)
        try watching.wait { watching.added.count >= Self.count - known.count }
        try watching.wait { (try? watching.library.count) == Self.count }
        #expect(try watching.end() == 0)
        #expect(watching.added.allSatisfy { !first.contains($0) })
    }

    @Test("a pass that cannot be stored now is stored as soon as possible")
    func library() throws {
        try watching.make(1...3)
        try watching.shell("touch blocked; mv mail/1 Maildir/new")
        try watching.start("Maildir", "--library", "blocked/library")
        try watching.wait { watching.errors.contains("blocked/library: not a directory") }
        try watching.shell("mv mail/2 Maildir/new; rm blocked")
        try watching.wait(forPasses: [1, 2])
        #expect(watching.errors.split(separator: "\n").count == 1)
        // Another library replaces the old one.
        try watching.shell("mv blocked elsewhere; mv mail/3 Maildir/new")
        #expect(try watching.end(by: 0) == 2)
        #expect(watching.errors.hasSuffix("the library was replaced; start again\n"))
        try watching.start("Maildir", "--library", "blocked/library")
        try watching.wait(forPasses: [1, 2, 3])
        #expect(try watching.end() == 0)
    }

    @Test(
        "terminated before there is a library, it exits with 0", arguments: [SIGTERM, SIGINT])
    func endedAtRest(signal: Int32) throws {
        try watching.shell("touch blocked")
        try watching.start("Maildir", "--library", "blocked/library")
        try watching.wait { watching.errors.contains("blocked/library: not a directory") }
        #expect(try watching.end(by: signal) == 0)
    }

    private static let mayLimit: Bool = {
        guard let home = try? Home() else { return false }
        defer { home.remove() }
        let line = "unshare -U -r sh -c 'echo 1 > /proc/sys/user/max_inotify_instances'"
        return (try? Program(home: home).shell(line))?.status == 0
    }()

    @Test(
        "if the system cannot report all changes, watch says so and reads everything at intervals",
        .enabled(if: mayLimit, "needs namespaces of users"),
        arguments: [("watches", 2), ("instances", 0)])
    func limit(name: String, number: Int) throws {
        try watching.make(1...2)
        try watching.shell("mkdir -p Maildir/.a/new Maildir/.a/cur Maildir/.b/new Maildir/.b/cur")
        let script = "echo \(number) > /proc/sys/user/max_inotify_\(name); exec \"$PROGRAM\" \"$@\""
        try watching.start(
            "Maildir", "--interval", "1",
            by: ["/usr/bin/unshare", "-U", "-r", "sh", "-c", script, "watch"])
        let advice = "`sysctl fs.inotify.max_user_\(name)` is the limit to raise"
        try watching.wait { watching.errors.contains(advice) }
        try watching.shell("mv mail/1 Maildir/.a/new")
        try watching.wait(forPasses: [1])
        try watching.shell("mv mail/2 Maildir/.b/new")
        try watching.wait(forPasses: [1, 2])
        #expect(try watching.end() == 0)
        #expect(watching.errors.split(separator: "\n").count == 1)
    }

    private func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(watching.pid)/fd").count
    }

    private func residentMegabytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(watching.pid)/statm", encoding: .utf8)
        let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return pages * 4096 >> 20
    }
}
