internal import Archives
internal import Foundation
internal import MIME
package import PassDetection
package import PassLinks
package import PassModel
package import PassStore
package import PassVerification
package import Platform

/// A candidate with its verdict and the outcome of its import.
package struct FoundPass: Sendable {
    package var source: String
    /// The download that contained it, if it was fetched.
    package var download: DownloadedFile?
    package var message: MessageReference?
    /// The part number, and the member of a container in it: `1.2!ticket.pkpass`.
    package var part: String
    package var name: String
    package var mediaType: String
    package var evidence: Evidence
    package var verification: Verification
    /// The type of a file that is not a pass, usually the media type according to libmagic.
    package var otherType: FileType?
    package var imported: ImportOutcome?
    /// The version it replaced, if requested.
    package var replaced: Pass?
    /// Whether the user wants notifications of changes of the pass.
    package var showsNotifications = true

    /// The error of the system that kept the bytes from being read; trying again may help.
    package var fileError: FileError? {
        for case .archive(let fault) in verification.reasons {
            if case .file(let error) = fault.error { return error }
        }
        return nil
    }

    /// The origin of this version for the library: a URL or an absolute path, so that it is valid
    /// in any working directory. For a pass downloaded outside of any message, the origin is the
    /// message that contained the link.
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

/// An absolute path.
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

/// A link to a pass found in a text. It was not fetched.
package struct FoundLink: Sendable {
    package var source: String
    package var message: MessageReference?
    package var part: String
    package var link: Link

    /// The origin for the library.
    package var origin: Origin { Origin(source: absolute(source), message, part: part) }
}

/// The outcome of importing a pass.
package enum ImportOutcome: String, Sendable, CaseIterable {
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

/// Statistics of a run. `bytes` and `seconds` are those of the whole run.
package struct Summary: Sendable, Equatable {
    package var sources = 0
    /// Sources not read because they were read before and are unchanged.
    package var unchanged = 0
    /// Sources that will be read again because they were modified just now.
    package var unsettled = 0
    /// Links met on the way that were not followed: to folders, and into /proc, /sys and /dev.
    package var linksNotFollowed = 0
    package var messages = 0
    package var parts = 0
    package var bytes = 0
    package var candidates = 0
    package var verdicts: [Verdict: Int] = [:]
    /// Nil if links were not searched for.
    package var links: Int?
    package var problems = 0
    package var seconds = 0.0

    package init() {}
}

extension Summary {
    /// Adds the statistics of another run.
    package static func += (all: inout Summary, run: Summary) {
        all.sources += run.sources
        all.unchanged += run.unchanged
        all.unsettled += run.unsettled
        all.linksNotFollowed += run.linksNotFollowed
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
