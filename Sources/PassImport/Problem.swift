package import Archives
package import Compression
package import Cryptography
package import MIME
package import MailContainers
package import MailSource
package import PassDetection
package import PassLinks
package import Platform

/// Input that could not be read, or not completely.
package struct Problem: Sendable {
    package var source: String
    package var message: MessageReference?
    package var part: String?
    package var kind: Kind
    /// Whether it concerns content that nobody asked for. It is reported, but the exit code is as
    /// if the content were not there.
    package var isIncidental = false

    package init(
        source: String, message: MessageReference? = nil, part: String? = nil, _ kind: Kind
    ) {
        self.source = source
        self.message = message
        self.part = part
        self.kind = kind
    }

    package enum Kind: Hashable, Sendable, Codable {
        case unreadable(FileError)
        /// The file was deleted after the walk found it, or replaced (ESTALE).
        case vanished(FileError)
        case source(SourceProblem.Kind)
        case message(MIMEProblem.Kind)
        case container(ContainerProblem)
        case compression(CompressionError)
        case archive(ArchiveError)
        /// A member of an archive that cannot be read.
        case member(ZipError)
        /// An archive that is larger than the limits allow.
        case archiveTooLarge(ZipError)
        case cms(CMSError)
        case formatNotRead(UnreadFormat)
        case dataURL(DataURLError)
        /// The body of a part is stored elsewhere; `place` is the location as the sender gives it.
        case externalBody(place: String)
        /// Some fragments of a message are missing. `pieces` are the numbers of those found, at
        /// most the first 20.
        case incomplete(pieces: [Int], total: Int?)
        /// The attachment was removed from the message, and is missing where it should be stored.
        case attachmentMissing
        /// Thunderbird moved the attachment to the file with this URL.
        case attachmentDetached(place: String)
        /// A mail program deleted the attachment.
        case attachmentRemoved
        /// Dovecot stores the attachment outside of the mailbox (mail_attachment_dir).
        case attachmentElsewhere
        case limit(Limit)
        /// Passes of the message that are malformed like those before, and are not listed.
        case moreMalformed(Int)
        /// Problems of the message or source that are not listed. `areLasting`: reading it again
        /// has the same result.
        case moreProblems(Int, areLasting: Bool)
    }

    /// The limit that was exceeded; sizes are in bytes.
    package enum Limit: Hashable, Sendable, Codable {
        // The cost of processing one message.
        case time(seconds: Int)
        case work(bytes: Int)
        case reports(Int)
        case messages(Int)
        case pieces(Int)
        // The unpacked contents of one message or file.
        case inflated(bytes: Int)
        case entries(Int)
        case members(Int)
        /// Too many nested messages; `depth` is for any other containers.
        case nesting
        case depth
        /// A message joined from fragments contains another fragment.
        case nestedPieces
        // Links.
        case links(Int)
        case linkSize(bytes: Int)
        case linkData(bytes: Int)
        case input(bytes: Int)
        /// Attachments beside a message.
        case attachments(Int)
    }
}

extension Problem {
    /// Stable identifier, such as `unreadable`, `limit-depth`, `symlink-loop`.
    package var code: String { kind.code }

    /// The error of the system that caused the problem; nil if the input itself is the cause.
    package var fileError: FileError? {
        switch kind {
        case .unreadable(let error), .vanished(let error), .message(.unreadable(let error)),
            .container(.unreadable(let error)):
            error
        default: nil
        }
    }

    /// Whether it concerns a file as a whole, which could not be read.
    package var isOfFile: Bool {
        switch kind {
        case .unreadable, .vanished, .source: message == nil
        default: false
        }
    }

    /// Whether trying again may help, since the system caused the problem.
    package var isTemporary: Bool { fileError != nil }
}

extension Problem.Kind {
    /// Part of the JSON records, so never change it.
    package var code: String {
        switch self {
        case .unreadable, .member: "unreadable"
        case .vanished: "vanished"
        case .source(let kind): kind.code
        case .message(let kind): kind.code
        case .container(let problem): problem.code
        case .compression: "damaged-compression"
        case .archive(let error): error.isLimit ? "limit-archive" : "damaged-archive"
        case .archiveTooLarge: "limit-archive"
        case .cms: "damaged-cms"
        case .formatNotRead: "format-not-read"
        case .dataURL: "bad-url"
        case .externalBody: "external-body"
        case .incomplete: "partial-incomplete"
        case .attachmentMissing: "attachment-missing"
        case .attachmentDetached: "attachment-detached"
        case .attachmentRemoved: "attachment-removed"
        case .attachmentElsewhere: "attachment-elsewhere"
        case .limit(let limit): limit.code
        case .moreMalformed: "more-malformed"
        case .moreProblems: "more-problems"
        }
    }

    /// The number of events that the problem stands for, if it counts them.
    package var count: Int? {
        switch self {
        case .moreMalformed(let count), .moreProblems(let count, _): count
        default: nil
        }
    }

    /// Whether reading the same bytes again has the same result: a cost limit of the message was
    /// exceeded, or the format is not read.
    var isLasting: Bool {
        switch self {
        case .limit(.time), .limit(.work), .limit(.reports), .limit(.messages), .limit(.pieces),
            .formatNotRead, .moreMalformed:
            true
        case .moreProblems(_, let areLasting): areLasting
        default: false
        }
    }

    /// The size of the contained text that comes from the input, in bytes.
    var textSize: Int {
        switch self {
        case .externalBody(let place), .attachmentDetached(let place): place.utf8.count
        case .archive(let error): error.textSize
        case .member(let error), .archiveTooLarge(let error): error.textSize
        case .container(let problem): problem.textSize
        default: 0
        }
    }
}

extension Problem.Limit {
    package var code: String {
        switch self {
        case .time: "limit-time"
        case .work: "limit-work"
        case .reports: "limit-reports"
        case .messages: "limit-messages"
        case .pieces: "limit-pieces"
        case .inflated: "limit-inflated"
        case .entries: "limit-entries"
        case .members: "limit-members"
        case .nesting, .nestedPieces: "limit-nesting"
        case .depth: "limit-depth"
        case .links: "limit-links"
        case .linkSize, .linkData: "limit-link-size"
        case .input: "limit-input"
        case .attachments: "limit-parts"
        }
    }
}
