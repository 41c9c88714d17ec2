import Foundation
import Testing

@Suite("Changed passes are shown as desktop notifications, at most five, in plain text")
final class NotifyTests {
    private let home: Home
    private let program: Program

    init() throws {
        home = try Home(named: "notify")
        program = Program(home: home, environment: ["PATH": home.path("programs")])
        try Notifications(home).addStandIn()
    }

    deinit { home.remove() }

    private func notified(_ lines: [String], count: Int) throws -> [[String]] {
        let input = Data(lines.map { "\($0)\n" }.joined().utf8)
        let result = try program.run(["notify"], input: input)
        #expect(result.status == 0)
        #expect(result.output + result.errors == "")
        return try Notifications(home).shown(count)
    }

    private func line(_ title: String, _ body: String) throws -> String {
        let data = try JSONEncoder().encode(["title": title, "body": body])
        return String(decoding: data, as: UTF8.self)
    }

    @Test("each pass has its own notification, with one line per change")
    func shown() throws {
        let words = try notified(
            [try line("Boarding pass changed", "Nimbus Air: Your gate is now 7\nSeat: 3C")],
            count: 1)
        #expect(
            words.first == [
                "--app-name=passconduit", "--icon=org.passconduit.Passconduit",
                "--hint=string:desktop-entry:org.passconduit.Passconduit", "--",
                "Boarding pass changed", "Nimbus Air: Your gate is now 7\nSeat: 3C",
            ])
    }

    @Test("after five, one notification shows the number of the others; a new run starts over")
    func many() throws {
        let lines = try (1...12).map { try line("changed", "pass \($0)") }
        let words = try notified(lines + ["", try line("changed", "pass 13"), ""], count: 7)
        let bodies = words.compactMap(\.last).sorted()
        #expect(
            bodies == [
                "To show them: passconduit list --sort update", "pass 1", "pass 13", "pass 2",
                "pass 3",
                "pass 4", "pass 5",
            ])
        #expect(words.contains { $0.dropLast().last == "7 more passes changed" })
    }

    @Test("markup, escapes and options are shown as text")
    func text() throws {
        let words = try notified(
            [try line("--help\u{1B}[1m", "<b>x</b> &amp; \\074i\\076\u{202E}")], count: 1)
        #expect(words.first?.suffix(3).first == "--")
        #expect(words.first?.dropLast().last == #"--help\u{1B}[1m"#)
        #expect(
            words.first?.last == #"&lt;b&gt;x&lt;/b&gt; &amp;amp; \\074i\\076\\u{202E}"#)
    }

    @Test("invalid or overlong notices are ignored")
    func nonsense() throws {
        let long = try line("changed", String(repeating: "x", count: 5000))
        let wrong = [
            "nonsense", "{}", "[]", #"{"title":1,"body":""}"#, String(repeating: "[", count: 4000),
        ]
        let deep = String(repeating: "x", count: 3_000_000)
        let words = try notified(
            wrong + [long, deep, try line("changed", "this one"), "{"], count: 1)
        #expect(words.map(\.last) == ["this one"])
    }

    @Test("the number of lines and their length are limited")
    func sizes() throws {
        let lines = (1...50).map { "line \($0)" }.joined(separator: "\n")
        let wide = String(repeating: "w", count: 2000)
        let words = try notified([try line("changed", lines), try line("b", wide)], count: 2)
        let bodies = words.compactMap(\.last)
        #expect(bodies.contains((1...6).map { "line \($0)" }.joined(separator: "\n")))
        #expect(bodies.contains(String(repeating: "w", count: 300)))
    }

    @Test("without notify-send nothing is shown")
    func none() throws {
        var program = program
        program.environment["PATH"] = home.path("nowhere")
        let input = Data("\(try line("a", "b"))\n".utf8)
        #expect(try program.run(["notify"], input: input).status == 0)
    }
}

/// A stand-in for notify-send that records its arguments.
struct Notifications {
    private let home: Home

    init(_ home: Home) { self.home = home }

    /// Creates it in the folder `programs`. Each run of it takes this long, in seconds.
    func addStandIn(taking seconds: String = "0") throws {
        let folder = home.path("notifications")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // The file gets its final name last, so that a waiting test reads it in full.
        let script = """
            #!/bin/sh
            PATH='\(Program.searchPath)'
            sleep \(seconds)
            for word; do printf '%s\\0' "$word"; done > '\(folder)'/part.$$
            mv '\(folder)'/part.$$ '\(folder)'/shown.$$
            """
        let file = try home.write(Data(script.utf8), to: "programs/notify-send")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    /// The arguments of each notification, once there are this many. The program starts
    /// notifications without waiting for them.
    func shown(_ count: Int) throws -> [[String]] {
        for _ in 0..<600 where try files().count < count { Thread.sleep(forTimeInterval: 0.05) }
        return try files().map { name in
            let data = try Data(
                contentsOf: home.folder.appendingPathComponent("notifications/\(name)"))
            return String(decoding: data, as: UTF8.self).split(
                separator: "\0", omittingEmptySubsequences: false
            ).dropLast().map(String.init)
        }
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.path("notifications"))
            .filter { $0.hasPrefix("shown") }
    }
}
