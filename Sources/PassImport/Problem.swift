package import Archives
package import Bytes
package import Compression
package import MIME
package import MailSource
package import PassDetection
package import PassVerification

/// Input that could not be read, or not completely.
package struct Problem: Sendable {
    package var source: String
    package var message: MessageReference?
    package var part: String?
    package var kind: Kind

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
        /// Between the walk and now the file went.
        case vanished(FileError)
        case source(SourceProblem.Kind)
        case message(MIMEProblem.Kind)
        case compression(CompressionError)
        case tar(TarError)
        /// A member of an archive that cannot be read.
        case member(ZipError)
        /// An archive that is larger than the limits allow.
        case archiveTooLarge(ZipError)
        case cms(CMSError)
        case dataURL(DataURLError)
        /// The body of a part lies elsewhere, in the words of its sender.
        case externalBody(place: String)
        /// Pieces of a message came, and not all: the numbers of the first of them.
        case incomplete(pieces: [Int], total: Int?)
        /// The attachment was taken out of the message, and is not where it was put.
        case attachmentMissing
        case limit(Limit)
    }

    /// More than a limit allows, in bytes where it is one of sizes.
    package enum Limit: Hashable, Sendable, Codable {
        // What looking into one message costs.
        case time(seconds: Int)
        case work(bytes: Int)
        case reports(Int)
        case messages(Int)
        case pieces(Int)
        // What is packed in one message or file.
        case inflated(bytes: Int)
        case entries(Int)
        case members(Int)
        /// Something is packed into too many others: mails in mails, or anything else.
        case nesting
        case depth
        /// A message in pieces lies in another one.
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
    /// Stable, such as `unreadable`, `limit-depth`, `symlink-loop`.
    package var code: String { kind.code }

    /// The error of the system that caused the problem; nil if the input itself is the cause.
    package var fileError: FileError? {
        switch kind {
        case .unreadable(let error), .vanished(let error), .message(.unreadable(let error)): error
        default: nil
        }
    }

    /// Whether trying again may help, since the system caused the problem.
    package var isTemporary: Bool { fileError != nil }
}

extension Problem.Kind {
    /// Stable: records carry it.
    package var code: String {
        switch self {
        case .unreadable, .member: "unreadable"
        case .vanished: "vanished"
        case .source(let kind): kind.code
        case .message(let kind): kind.code
        case .compression: "damaged-compression"
        case .tar: "damaged-archive"
        case .archiveTooLarge: "limit-archive"
        case .cms: "damaged-cms"
        case .dataURL: "bad-url"
        case .externalBody: "external-body"
        case .incomplete: "partial-incomplete"
        case .attachmentMissing: "attachment-missing"
        case .limit(let limit): limit.code
        }
    }

    /// Whether the message cost too much: it would cost as much again.
    var isCost: Bool {
        switch self {
        case .limit(.time), .limit(.work), .limit(.reports), .limit(.messages), .limit(.pieces):
            true
        default: false
        }
    }

    /// The size of the text that it holds from the input, in bytes.
    var textSize: Int {
        switch self {
        case .externalBody(let place): place.utf8.count
        case .tar(let error): error.textSize
        case .member(let error), .archiveTooLarge(let error): error.textSize
        case .message(let kind): kind.textSize
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
