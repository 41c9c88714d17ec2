import MIME
import MailSource
import PassDetection
import PassVerification

/// The result of one piece of work.
struct WorkResult: Sendable {
    /// The last source.
    var source = ""
    var sources = 0
    var messages = 0
    var parts = 0
    var bytes = 0
    var events: [Event] = []
    /// Files that were read completely and did not change meanwhile.
    var read: [ReadFile] = []
    /// Messages that the next run must reread.
    var unfinished: [MessagePlace] = []
    /// The offset of the last message.
    var lastMessage: Int?
    /// Fragments of messages that other results may complete.
    var fragments: [Fragment] = []
    /// The start and end of the messages in a range of an mbox.
    var ends: MboxRangeEnds?
    /// What the messages so far leave to the following ones of the mbox (VIOLATIONS.md, B21); nil
    /// if that depends on messages before the range.
    var unclosed: OpenEntities?
    /// Whether the messages before the range are unknown and may still matter.
    var isEarlierUnknown = false
    /// Whether the parts found depend on them.
    var dependsOnEarlier = false
    /// Whether a part of an earlier message was found in a later one.
    var hasContinued = false
    /// Whether a range of an mbox could not be read to its end.
    var isCutOff = false
    /// The rest of the work, if it is not finished.
    var rest: SourceScanner?

    /// Shifts the message numbers of its events by `base`.
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

/// A file that was read completely.
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
            case .problem(let problem):
                problems += 1
                if case .moreMalformed(let count) = problem.kind {
                    candidates += count
                    verdicts[.malformed, default: 0] += count
                }
            }
        }
    }
}
