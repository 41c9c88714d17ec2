import Foundation
import MIME
package import PassDetection
package import PassModel
package import PassStore
package import PassVerification

/// A candidate that was found and judged, and what the import made of it.
package struct FoundPass: Sendable {
    package var source: String
    /// What it lay in, where that was fetched.
    package var download: DownloadedFile?
    package var message: MessageReference?
    /// The part of the message, and the member of a container in it: `1.2!ticket.pkpass`.
    package var part: String
    package var name: String
    package var mediaType: String
    package var evidence: Evidence
    package var verification: Verification
    /// What is no pass looks like this: mostly a media type, as libmagic names it.
    package var otherType: String?
    package var imported: ImportOutcome?
    /// What the version says that was in front until this one came; nil where nobody wants to know.
    package var replaced: Pass?

    /// Whether the system did not give the bytes to judge: trying again may help.
    package var wasUnreadable: Bool { verification.reasons.contains { $0.code == "unreadable" } }

    /// Where the library says that this version came from: a URL, or a path from the root, which still
    /// says it when the library is asked from elsewhere. What was fetched without a message of its own
    /// came with the one that held the link.
    package var origin: Origin {
        guard let download else {
            return Origin(source: absolute(source), message, part: part)
        }
        guard message == nil, let link = download.link else {
            return Origin(source: source, message, part: part)
        }
        return Origin(
            source: source, messageID: link.messageID, from: link.from, date: link.date,
            subject: link.subject, part: part.nonEmpty)
    }
}

/// A path from the root.
private func absolute(_ source: String) -> String {
    source == "-" ? source : URL(fileURLWithPath: source).standardizedFileURL.path
}

extension Origin {
    fileprivate init(source: String, _ message: MessageReference?, part: String) {
        self.init(
            source: source, messageID: message?.messageID.nonEmpty, from: message?.from.nonEmpty,
            date: message.flatMap { MailDate.seconds($0.date) }
                .map { Date(timeIntervalSince1970: TimeInterval($0)) },
            subject: message?.subject.nonEmpty, part: part.nonEmpty)
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

/// A link to a pass that was found in a text. What it leads to, nobody asked.
package struct FoundLink: Sendable {
    package var source: String
    package var message: MessageReference?
    package var part: String
    package var link: Link

    /// Where it stands, as the library says it.
    package var origin: Origin { Origin(source: absolute(source), message, part: part) }
}

/// What the import made of a pass.
package enum ImportOutcome: String, Sendable {
    case added, updated, unchanged, older
    /// The policy does not admit its verdict.
    case refused

    init(_ admission: Admission) {
        switch admission {
        case .added: self = .added
        case .updated: self = .updated
        case .unchanged: self = .unchanged
        case .older: self = .older
        }
    }
}

/// Input that could not be read, or was not read whole.
package struct Problem: Sendable {
    package var source: String
    package var message: MessageReference?
    package var part: String?
    /// A stable code such as `unreadable`, `limit-depth`, `symlink-loop`.
    package var code: String
    package var detail: String
    /// Whether it was the system that could not do what was asked of it: trying again may help.
    package var isTemporary = false

    package init(
        source: String, message: MessageReference?, part: String? = nil, code: String,
        detail: String, isTemporary: Bool = false
    ) {
        self.source = source
        self.message = message
        self.part = part
        self.code = code
        self.detail = detail
        self.isTemporary = isTemporary
    }

    /// One of a source as a whole.
    package init(source: String, code: String, detail: String, isTemporary: Bool = false) {
        self.init(
            source: source, message: nil, part: nil, code: code, detail: detail,
            isTemporary: isTemporary)
    }
}

/// What a run went through and found. `bytes` and `seconds` are of the whole run.
package struct Summary: Sendable, Equatable {
    package var sources = 0
    /// How many of these were not read, because they had been and were the same.
    package var unchanged = 0
    /// How many will be read again, because they were written to just now.
    package var unsettled = 0
    package var messages = 0
    package var parts = 0
    package var bytes = 0
    package var candidates = 0
    package var verdicts: [Verdict: Int] = [:]
    /// Nil where none were looked for.
    package var links: Int?
    package var problems = 0
    package var seconds = 0.0

    package init() {}
}

extension Summary {
    /// What one run went through after another.
    package static func += (all: inout Summary, run: Summary) {
        all.sources += run.sources
        all.unchanged += run.unchanged
        all.unsettled += run.unsettled
        all.messages += run.messages
        all.parts += run.parts
        all.bytes += run.bytes
        all.candidates += run.candidates
        all.verdicts.merge(run.verdicts, uniquingKeysWith: +)
        if let links = run.links { all.links = (all.links ?? 0) + links }
        all.problems += run.problems
        all.seconds += run.seconds
    }
}
