import Bytes
import Confinement
import Platform

/// The search for a candidate, in a confined child process that can only read the message and
/// return an answer, so that a crash affects nothing else.
enum SearchProcess {
    enum Answer: CInt {
        case noCandidate = 0
        case candidate = 1
    }

    /// Whether a message may contain a pass. Also true if the search crashes, cannot start, or
    /// exceeds its deadline.
    static func answer(for message: borrowing SpooledMessage, until deadline: Deadline) -> Answer {
        guard let process = try? forked({ search(message).rawValue }),
            case .ended(let status) = process.finish(by: deadline), let code = status?.code
        else { return .candidate }
        return Answer(rawValue: code) ?? .candidate
    }

    private static func search(_ message: borrowing SpooledMessage) -> Answer {
        // Write no files: import is run if a part is too large for memory.
        let spool = SpoolPolicy(directories: [])
        let (source, file) = message.readOnly()
        closeFiles(except: file)
        guard (try? ProcessRights.nothing.apply()) != nil,
            let mayHoldPass = try? CandidateSearch.mayHoldPass(source, spool: spool)
        else { return .candidate }
        return mayHoldPass ? .candidate : .noCandidate
    }
}
