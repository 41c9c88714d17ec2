import Bytes
import Confinement
import Glibc

/// The search for a candidate in a confined child process, which can only read the message and
/// answer, so that a crash affects nothing else.
enum SearchProcess {
    enum Answer: CInt {
        case noCandidate = 0
        case candidate = 1
    }

    /// Whether a message may contain a pass. Also true if the search crashes, cannot start or runs
    /// out of time.
    static func answer(for message: borrowing SpooledMessage, until deadline: Deadline) -> Answer {
        guard let process = try? forked({ search(message).rawValue }),
            case .ended(let status?) = ChildProcess(process).wait(until: deadline),
            status.signal == 0
        else { return .candidate }
        return Answer(rawValue: status.code) ?? .candidate
    }

    private static func search(_ message: borrowing SpooledMessage) -> Answer {
        // Write no files: a part too large for memory is a reason to run import.
        let spool = SpoolPolicy(directories: [])
        let (source, file) = message.readOnly()
        closeFiles(except: file)
        guard (try? Confinement.nothing.apply()) != nil,
            let mayHoldPass = try? CandidateSearch.mayHoldPass(source, spool: spool)
        else { return .candidate }
        return mayHoldPass ? .candidate : .noCandidate
    }
}
