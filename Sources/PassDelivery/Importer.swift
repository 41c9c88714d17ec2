import Bytes
import Glibc
import Platform

/// Runs `passconduit import` for one message.
struct Importer {
    /// The maximum output that is kept, in bytes.
    private static let answerLength = 64 << 10

    /// Additional options.
    let options: [[UInt8]]

    /// The outcome of a run.
    enum Exit {
        case done
        /// Ended by a signal: a defect or possibly a lack of memory.
        case broken(signal: CInt)
        /// Killed at the deadline.
        case late
        /// It failed and reported the reason.
        case failed
        case notStarted(FileError)
    }

    /// Signals that indicate a defect. SIGABRT is not included: it usually means a lack of memory.
    private static let signalsOfDefects = [SIGILL, SIGTRAP, SIGSEGV, SIGFPE]

    /// Runs import with the message on standard input, and appends a line for each pass to
    /// `answers`.
    func run(
        _ message: FileDescriptor, until deadline: Deadline, answers: inout [String]
    ) -> Exit {
        do throws(FileError) {
            let answer = try FileDescriptor.pipe()
            defer { answer.reading.close() }
            let process = try start(message, answer.writing)
            var text: [UInt8] = []
            let end = process.finish(by: deadline, reading: answer.reading) {
                if text.count < Importer.answerLength { text += $0 }
            }
            answers = Importer.lines(of: text)
            guard case .ended(let status) = end else { return .late }
            return outcome(status)
        } catch {
            return .notStarted(error)
        }
    }

    /// Whether import succeeds on empty input.
    func isSound(until deadline: Deadline) -> Bool {
        guard let nothing = try? FileDescriptor.open("/dev/null", O_RDONLY) else { return false }
        defer { nothing.close() }
        var answers: [String] = []
        guard case .done = run(nothing, until: deadline, answers: &answers) else { return false }
        return true
    }

    /// The lines that are valid in a header field (RFC 5322, 2.1.1); other lines are dropped.
    private static func lines(of text: [UInt8]) -> [String] {
        let whole = text.prefix(upTo: (text.lastIndex(of: UInt8(ascii: "\n")) ?? 0))
        return whole.split(separator: UInt8(ascii: "\n"))
            .filter { line in line.count < 980 && line.allSatisfy { (0x20...0x7E).contains($0) } }
            .map { String(streamSafe: $0) }
    }

    /// Starts the first `passconduit` that can be started: beside this program, or in `$PATH`.
    /// Closes the write end of `answer`.
    private func start(
        _ message: FileDescriptor, _ answer: FileDescriptor
    ) throws(FileError) -> ChildProcess {
        defer { answer.close() }
        let name = "passconduit"
        let words = ["import", "--tolerate-problems", "--brief"].map { Array($0.utf8) }
        let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
        var code = ENOENT
        for path in Program.paths(of: name, besideThisOneOrInPath: folders) {
            var program = Program(at: path)
            program.arguments = words + options + [Array("-".utf8)]
            do throws(FileError) {
                return try program.start(input: message, output: answer, endsWithThisOne: true)
            } catch {
                // Prefer the error of a file that exists over "not found".
                if code == ENOENT { code = error.code }
            }
        }
        throw FileError(.start(name), code)
    }

    private func outcome(_ status: ExitStatus?) -> Exit {
        guard let status else { return .failed }
        if let code = status.code { return code == 0 ? .done : .failed }
        return Importer.signalsOfDefects.contains(status.signal)
            ? .broken(signal: status.signal) : .failed
    }
}
