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

    /// Whether a pass may be in a message. If the search crashes, cannot start or runs out of time, the
    /// message may still hold a pass.
    static func answer(for message: borrowing SpooledMessage, until deadline: Deadline) -> Answer {
        guard let process = try? forked({ search(message).rawValue }),
            case .ended(let status?) = ChildProcess(process).wait(until: deadline),
            status.signal == 0
        else { return .candidate }
        return Answer(rawValue: status.code) ?? .candidate
    }

    private static func search(_ message: borrowing SpooledMessage) -> Answer {
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
