import MailSource
import PassVerification

/// What came out of one piece of work.
struct WorkResult: Sendable {
    /// The last source of it.
    var source = ""
    var sources = 0
    var messages = 0
    var parts = 0
    var bytes = 0
    var events: [Event] = []
    /// The files that were read whole, and are as they were before.
    var read: [ReadFile] = []
    /// The messages that have to be read again the next time.
    var unfinished: [MessagePlace] = []
    /// Where the last message begins.
    var lastMessage: Int?
    /// Pieces of messages that may become whole with those of other results.
    var fragments: [Fragment] = []
    /// Where the messages of a range of an mbox begin and end.
    var ends: MboxRangeEnds?
    /// Whether a range of an mbox could not be read to its end, so that nobody knows where it is.
    var isCutOff = false
    /// What goes on with the work, if this is not all of it.
    var rest: SourceScanner?

    /// Counts the messages of its events from `base` instead of 0.
    mutating func countMessages(from base: Int) {
        guard base > 0 else { return }
        for index in unfinished.indices { unfinished[index].index += base }
        for index in fragments.indices { fragments[index].location.message?.index += base }
        for index in events.indices {
            switch events[index] {
            case .pass(var found):
                found.message?.index += base
                events[index] = .pass(found)
            case .link(var found):
                found.message?.index += base
                events[index] = .link(found)
            case .problem(var problem):
                problem.message?.index += base
                events[index] = .problem(problem)
            }
        }
    }
}

/// A file that was read whole.
struct ReadFile: Sendable {
    let file: SourceFile
    let isMailbox: Bool
}

extension Summary {
    mutating func add(_ result: WorkResult) {
        sources += result.sources
        messages += result.messages
        parts += result.parts
        bytes += result.bytes
        for event in result.events {
            switch event {
            case .pass(let found):
                candidates += 1
                verdicts[found.verification.verdict, default: 0] += 1
            case .link:
                links = (links ?? 0) + 1
            case .problem:
                problems += 1
            }
        }
    }
}
