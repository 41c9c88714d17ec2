package import PassDetection
package import PassVerification

/// Where a message lies and what its header says; texts are decoded, not escaped.
package struct MessageReference: Sendable, Hashable {
    /// Counts from 0 within its source.
    package var index: Int
    /// Of the message's first byte in its source, in bytes (for mbox: of its From_ line).
    package var offset: Int
    package var messageID: String
    package var from: String
    package var date: String
    package var subject: String
}

/// A candidate that was found and judged, and what the import made of it.
package struct FoundPass: Sendable {
    package var source: String
    package var message: MessageReference?
    /// The part of the message, and the member of a container in it: `1.2!ticket.pkpass`.
    package var part: String
    package var name: String
    package var mediaType: String
    package var evidence: Evidence
    package var verification: Verification
    package var imported: ImportOutcome?
}

package enum ImportOutcome: String, Sendable {
    case added, updated, unchanged, older, refused
}

/// Input that could not be read, or was not read whole.
package struct Problem: Sendable {
    package var source: String
    package var message: MessageReference?
    package var part: String?
    /// A stable code such as `unreadable`, `limit-depth`, `symlink-loop`.
    package var code: String
    package var detail: String
}

package struct Summary: Sendable {
    package var sources = 0
    package var messages = 0
    package var parts = 0
    package var bytes = 0
    package var candidates = 0
    package var verdicts: [Verdict: Int] = [:]
    package var problems = 0
    package var seconds = 0.0
}
