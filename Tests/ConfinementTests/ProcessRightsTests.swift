import Foundation
import Testing

@testable import Confinement
@testable import Platform

@Suite("A confined process does its work and cannot escape")
struct ProcessRightsTests {
    private static let mayBeDone = [
        "read inside", "write inside", "move inside", "truncate inside", "remove inside",
        "make a folder inside", "read what is for reading", "list what is for reading",
        "follow a link to it", "spool", "start a program", "signal itself",
    ]

    /// Attempts that only Landlock forbids.
    private static let files = [
        "read a secret", "read a secret by a link", "list secrets", "write outside",
        "append outside", "write what is for reading", "move outside", "move inside from outside",
        "link outside", "link inside from outside", "remove outside", "make a folder outside",
        "make a symbolic link outside", "make a name in the spool", "list the spool",
        "remove from the spool", "start another program", "read another file in /etc",
        "read the parent's command line", "read the parent's status", "list all processes",
    ]

    /// More attempts that only Landlock forbids, for users other than root. A confined root cannot
    /// do this either, since it loses its capabilities.
    private static let looks = ["look at the parent's variables"]

    /// Attempts that the system-call filter forbids. On older kernels, nothing else does.
    private static let others = [
        "truncate outside", "truncate what is for reading", "set permissions", "set times",
        "connect by TCP", "send by UDP", "connect to a service",
        "connect to a service without a file", "send by a pair", "send by a pair without a file",
        "send a message by a pair", "send messages by a pair", "connect an end of a pair",
        "send by the standard input", "send a message by the standard input",
        "send messages by the standard input", "connect the standard input",
        "have the kernel signal the parent", "trace the parent", "read the parent's memory",
        "signal the parent", "set permissions of an open file", "limit the parent",
        "put the parent last", "tie the parent to a core", "share memory",
    ]

    /// More attempts that the filter forbids, on systems that do not forbid them to every process.
    private static let sometimes = [
        "set up a ring", "type into the terminal", "be root in a namespace",
        "use the kernel's ciphers", "make a call of 32-bit programs",
    ]

    private static let refused: Set<String?> = ["EACCES", "EPERM", "EXDEV", "ENOSYS"]

    @Test(
        "with each version of Landlock",
        .enabled(
            if: BreakingOut.offered.landlock >= 2 && BreakingOut.offered.filtersCalls
                && BreakingOut.isPythonHere,
            "this kernel has no Landlock of version 2 or no seccomp, or there is no Python"),
        arguments: [2, 3, 4, 5, 6, 7])
    func confined(version: Int) throws {
        let answers = try BreakingOut(newestLandlock: version)
        for name in Self.mayBeDone {
            #expect(answers.free[name] == "done", "\(name)")
            #expect(answers.confined[name] == "done", "\(name)")
        }
        for name in Self.files + Self.looks + Self.others {
            #expect(answers.free[name] == "done", "\(name)")
            #expect(Self.refused.contains(answers.confined[name]), "\(name)")
        }
        for name in Self.sometimes {
            #expect(Self.refused.contains(answers.confined[name]), "\(name)")
        }
    }

    @Test(
        "the filter applies without Landlock, and with version 1 if files must be moved",
        .enabled(
            if: BreakingOut.offered.filtersCalls && BreakingOut.isPythonHere,
            "this kernel has no seccomp, or there is no Python"),
        arguments: [0, 1])
    func filtered(version: Int) throws {
        let answers = try BreakingOut(newestLandlock: version)
        for name in Self.mayBeDone + Self.files {
            #expect(answers.confined[name] == "done", "\(name)")
        }
        for name in Self.others + Self.sometimes {
            #expect(Self.refused.contains(answers.confined[name]), "\(name)")
        }
    }

    @Test(
        "with sockets the network is available, and nothing else that is forbidden",
        .enabled(
            if: BreakingOut.offered.landlock >= 2 && BreakingOut.offered.filtersCalls
                && BreakingOut.isPythonHere,
            "this kernel has no Landlock of version 2 or no seccomp, or there is no Python"))
    func sockets() throws {
        let answers = try BreakingOut(newestLandlock: 7, ["--sockets"])
        for name in ["connect by TCP", "send by UDP", "connect to a service"] {
            #expect(answers.confined[name] == "done", "\(name)")
        }
        let others = Self.others.filter { !$0.contains(/connect|send/) }
        for name in Self.files + others + Self.sometimes {
            #expect(Self.refused.contains(answers.confined[name]), "\(name)")
        }
    }

    @Test("Dispatch can inspect its own threads while other processes are hidden")
    func dispatch() throws {
        let folder = FileManager.default.temporaryDirectory
        let answer = try BreakingOut.output(
            of: BreakingOut.probe, ["--system", "--dispatch"], in: folder)
        #expect(answer == "done\n")
    }

    @Test(
        "programs can be started only if allowed",
        .enabled(
            if: BreakingOut.offered.confinesFiles || BreakingOut.offered.filtersCalls,
            "this kernel has neither Landlock nor seccomp"))
    func programs() throws {
        let folder = FileManager.default.temporaryDirectory
        let program = ["--read", "/", "/usr/bin/true"]
        let refusal = try BreakingOut.output(of: BreakingOut.probe, program, in: folder)
        #expect(refusal == "not started: EACCES\n")
        let answer = try BreakingOut.output(
            of: BreakingOut.probe, ["--execute", "/usr"] + program, in: folder)
        #expect(answer == "")
    }

    @Test(
        "without any rights, open files can be read and written, and nothing else works",
        .enabled(if: BreakingOut.offered.filtersCalls, "this kernel has no seccomp"))
    func nothing() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-nothing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = String(repeating: "to be or not to be ", count: 100_000)
        let answer = try BreakingOut.output(
            of: BreakingOut.probe, ["--nothing"], input: text, in: folder)
        let lines = answer.split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(10) == [
                "words 4", "open EPERM", "create EPERM", "unlink EPERM", "stat EPERM",
                "socket EPERM", "signal EPERM", "fork EPERM", "code EPERM", "program EPERM",
            ])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["input"])
    }

    @Test("a confined process can wait for a program that it started before")
    func waiting() async throws {
        var program = Program(at: "/bin/sh")
        program.arguments = ["-c", "sleep 0.2; exit 7"].map { Array($0.utf8) }
        let process = try program.start()
        let end = try await withCheckedThrowingContinuation { continuation in
            // Only this thread is confined.
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        _ = try ProcessRights().apply()
                        return process.wait(until: .after(.seconds(20)))
                    })
            }
        }
        #expect(end == .ended(ExitStatus(waited: 7 << 8)))
    }

    @Test("detecting the kernel's features does not confine the process")
    func offered() throws {
        let before = try status()
        _ = try Protections.offered()
        #expect(try status() == before)
        #expect(FileManager.default.isReadableFile(atPath: #filePath))
        _ = try Data(contentsOf: URL(fileURLWithPath: #filePath))
    }

    private func status() throws -> [Substring] {
        try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("NoNewPrivs") || $0.hasPrefix("Seccomp") }
    }

    /// From the sections of landlock.rst that name the version in which each right was introduced.
    @Test(
        "each version of Landlock gets the rights it knows",
        arguments: [
            (1, 0x1FFF), (2, 0x3FFF), (3, 0x7FFF), (4, 0x7FFF), (5, 0xFFFF), (6, 0xFFFF),
            (7, 0xFFFF), (99, 0xFFFF),
        ] as [(Int, UInt64)])
    func rights(version: Int, bits: UInt64) {
        #expect(FileRights.known(to: version).rawValue == bits)
    }
}
