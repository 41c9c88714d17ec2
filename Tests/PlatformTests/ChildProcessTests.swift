import Glibc
import Testing

@testable import Platform

@Suite("A process is waited for", .timeLimit(.minutes(1)))
struct ChildProcessTests {
    @Test("until a deadline, after which it runs on")
    func late() throws {
        let process = try shell("sleep 100").start()
        for time in [0, 50] { #expect(process.wait(until: .after(milliseconds: time)) == .late) }
        #expect(process.finish(by: .after(.zero)) == .late)
        #expect(process.wait() == nil)
    }

    @Test("to its end", arguments: [(0, 0), (7, 0), (255, 0), (nil, 15)] as [(CInt?, CInt)])
    func ended(code: CInt?, signal: CInt) throws {
        let program = shell(code.map { "exit \($0)" } ?? "kill -\(signal) $$")
        let status = try #require(try program.start().wait())
        #expect(status.code == code && status.signal == signal)
        #expect(try program.start().wait(until: .after(.seconds(20))) == .ended(status))
        #expect(try program.start().finish(by: .after(.seconds(20))) == .ended(status))
    }

    @Test("and at the deadline killed with all processes that it started")
    func killed() throws {
        let (process, input, output) = try shell("echo begun; sleep 100 & sleep 100")
            .startWithPipes()
        input.close()
        defer { output.close() }
        var text: [UInt8] = []
        let start = ContinuousClock.now
        let end = process.finish(by: .after(.seconds(1)), reading: output) { text += $0 }
        #expect(end == .late)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(text == Array("begun\n".utf8))
        // The pipe ends when no process has it open.
        #expect(try output.readMessage(limit: 1) == nil)
    }

    @Test("while its output is read, which processes that it leaves behind do not delay")
    func leftBehind() throws {
        let count = 1 << 20
        let (process, input, output) = try shell("head -c \(count) /dev/zero; sleep 100 &")
            .startWithPipes()
        input.close()
        defer { output.close() }
        var got = 0
        let start = ContinuousClock.now
        let end = process.finish(by: .after(.seconds(50)), reading: output) { got += $0.count }
        #expect(end == .ended(ExitStatus(waited: 0)) && got == count)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(try output.readMessage(limit: 1) == nil)
    }

    @Test("and once it was waited for, no process is killed, as its number may be another's")
    func gone() throws {
        let (process, input, output) = try shell("sleep 100 >/dev/null & printf $!")
            .startWithPipes()
        input.close()
        defer { output.close() }
        #expect(process.wait()?.code == 0)
        var text: [UInt8] = []
        #expect(
            process.finish(by: .after(.seconds(20)), reading: output) { text += $0 } == .ended(nil))
        let other = try #require(pid_t(String(decoding: text, as: UTF8.self)))
        #expect(kill(other, 0) == 0)
        _ = kill(other, SIGKILL)
    }

    private func shell(_ script: String) -> Program {
        var program = Program(at: "/bin/sh")
        program.arguments = ["-c", script].map { Array($0.utf8) }
        return program
    }
}
