import Foundation
import Glibc
import Testing

@testable import Platform

@Suite("Another program is found and started", .timeLimit(.minutes(1)))
final class ProgramTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("passconduit-program-\(UUID().uuidString)").path

    init() throws { try DurableFile.makeFolder(folder.utf8) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test("by its path or its name, in absolute folders")
    func found() throws {
        let name = "passconduit-tool"
        let path = "\(folder)/\(name)"
        try DurableFile(path.utf8).write([], mode: 0o700)
        #expect(Program(path, inPath: "")?.path == path)
        #expect(Program(name, inPath: "/nonexistent:\(folder):/usr/bin")?.path == path)
        let up = String(repeating: "../", count: 20)
        for folders in ["", ":", "/nonexistent", "\(up)\(folder.dropFirst())"] {
            #expect(Program(name, inPath: folders) == nil)
        }
        #expect(Program("../\(name)", inPath: "\(folder)/sub") == nil)
        #expect(Program(besideThisOne: name) == nil && Program(ownedByThisOne: name) == nil)
        // Neither folders nor files without the right to execute them.
        _ = unsafe chmod(path, 0o600)
        try DurableFile.makeFolder("\(folder)/tool".utf8)
        #expect(Program(path, inPath: "") == nil && Program("tool", inPath: folder) == nil)
    }

    @Test(
        "the system's error says why it cannot be started",
        arguments: [
            ("missing", ENOENT), ("text", EACCES), ("folder", EACCES), ("damaged", ENOEXEC),
            ("text/file", ENOTDIR),
        ])
    func notStarted(name: String, code: CInt) throws {
        try DurableFile("\(folder)/text".utf8).write([], mode: 0o600)
        try DurableFile("\(folder)/damaged".utf8).write([0x7F], mode: 0o700)
        try DurableFile.makeFolder("\(folder)/folder".utf8)
        let path = "\(folder)/\(name)"
        #expect(throws: FileError(.start(path), code)) { try Program(at: path).start() }
        #expect(throws: FileError(.start(path), code)) { try Program(at: path).startWithPipes() }
        #expect(throws: FileError(.start(path), code)) { try Program(at: path).output(limit: 1) }
    }

    @Test(
        "its output is kept up to a limit, and its status is known",
        arguments: [
            ("printf 1234", "1234", 0), ("printf 12345678; exit 3", "12345", 3),
            ("printf 12; kill -9 $$", "12", nil), ("cat; echo problem >&2", "", 0),
        ] as [(String, String, CInt?)])
    func output(script: String, output: String, code: CInt?) throws {
        let answer = try shell(script).output(limit: 5, discardsErrors: true)
        #expect(String(decoding: answer.bytes, as: UTF8.self) == output)
        #expect(answer.status?.code == code && answer.status?.signal == (code == nil ? SIGKILL : 0))
    }

    @Test("its arguments need not be valid text")
    func arguments() throws {
        var program = shell(#"printf '%s\n' "$@""#)
        program.arguments += ["sh".utf8, "".utf8, "a b".utf8].map { Array($0) } + [[0xFF, 0x80]]
        let answer = try program.output(limit: 100)
        #expect(answer.bytes == Array("\na b\n".utf8) + [0xFF, 0x80, 0x0A])
    }

    @Test("its environment is replaced or passed on")
    func variables() throws {
        var program = Program(at: "/usr/bin/env")
        program.variables = ["ONLY": "this = that"]
        let replaced = try program.output(limit: 100).bytes
        #expect(String(decoding: replaced, as: UTF8.self) == "ONLY=this = that\n")
        program.variables = nil
        let passedOn = String(decoding: try program.output(limit: 1 << 16).bytes, as: UTF8.self)
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        #expect(passedOn.contains("PATH=\(path)\n"))
    }

    @Test("pipes lead to its standard input and from its standard output")
    func pipes() throws {
        let (process, input, output) = try Program(at: "/bin/cat").startWithPipes()
        defer { output.close() }
        try input.writeMessage([1, 2, 3].span)
        #expect(try output.readMessage(limit: 3) == [1, 2, 3])
        input.close()
        #expect(process.wait()?.code == 0)
        #expect(try output.readMessage(limit: 3) == nil)
    }

    @Test("it leads a session, and neither blocks signals nor ignores SIGPIPE")
    func signals() throws {
        signal(SIGPIPE, SIG_IGN)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        defer { unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
        let script = "grep -E 'Sig(Blk|Ign)' /proc/self/status; cut -d ' ' -f 6 /proc/self/stat"
        let answer = try shell(script).output(limit: 1000)
        let lines = String(decoding: answer.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        try #require(lines.count == 3)
        #expect(lines[0].hasSuffix("\t0000000000000000"))
        let ignored = try #require(UInt64(lines[1].suffix(16), radix: 16))
        #expect(ignored & 1 << UInt64(SIGPIPE - 1) == 0)
        #expect(pid_t(lines[2]) != getsid(0))
    }

    @Test("it starts while the standard streams of this process are closed")
    func closedStreams() throws {
        let path = "\(folder)/output"
        try DurableFile(path.utf8).write([])
        let program = shell("cat && echo done")
        let missing = Program(at: "/nonexistent")
        let process = try forked {
            for stream in STDIN_FILENO...STDERR_FILENO { close(stream) }
            guard let file = try? FileDescriptor.open(path, O_WRONLY), file.number == 0 else {
                return 1
            }
            guard (try? program.start(output: file).wait()?.code) == 0 else { return 2 }
            do throws(FileError) {
                _ = try missing.start(output: file)
                return 3
            } catch {
                return error.code == ENOENT ? 0 : 4
            }
        }
        let end = process.finish(by: .after(.seconds(20)))
        #expect(end == .ended(ExitStatus(waited: 0)))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "done\n")
    }

    @Test("on request, it is killed when this process, or the thread that started it, ends")
    func endsWithThisOne() async throws {
        let program = shell("sleep 100")
        let process = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try program.start(endsWithThisOne: true) })
            }
        }
        let end = process.wait(until: .after(.seconds(20)))
        #expect(end == .ended(ExitStatus(waited: SIGKILL)))
    }

    private func shell(_ script: String) -> Program {
        var program = Program(at: "/bin/sh")
        program.arguments = ["-c", script].map { Array($0.utf8) }
        return program
    }
}
