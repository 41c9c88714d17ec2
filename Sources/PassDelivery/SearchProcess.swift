import Bytes
import Confinement
import Glibc

/// The search for a candidate, in a process of its own that may do nothing but read the message and
/// answer: what breaks it breaks nothing else.
enum SearchProcess {
    enum Answer: CInt {
        case noCandidate = 0
        case candidate = 1
    }

    /// Whether a pass may be in a message. A search that breaks, or that cannot be made, has ruled out
    /// nothing.
    static func answer(for message: borrowing KeptMessage) -> Answer {
        // Where the mail system ignores its children, their exit codes are lost.
        _ = signal(SIGCHLD, SIG_DFL)
        guard let process = try? forked({ search(message).rawValue }),
            let status = ExitStatus(of: process), status.signal == 0
        else { return .candidate }
        return Answer(rawValue: status.code) ?? .candidate
    }

    private static func search(_ message: borrowing KeptMessage) -> Answer {
        // What is too large for memory is a reason to let import look, not to write files here.
        let spool = SpoolPolicy(directories: [])
        let (source, file) = message.readOnly()
        closeFiles(except: file)
        guard (try? Confinement.nothing.apply()) != nil,
            let mayHoldPass = try? CandidateSearch.mayHoldPass(source, spool: spool)
        else { return .candidate }
        return mayHoldPass ? .candidate : .noCandidate
    }
}

/// How a process ended, as <sys/wait.h> has it in macros that Swift does not import.
struct ExitStatus {
    /// The signal that ended it; 0 where it ended by itself.
    let signal: Int32
    let code: Int32

    /// Waits for a child; nil where the system does not say what became of it.
    init?(of process: pid_t) {
        var status: CInt = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        signal = status & 0x7F
        code = status >> 8 & 0xFF
    }
}
