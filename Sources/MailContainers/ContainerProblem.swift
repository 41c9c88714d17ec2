package import Platform

/// A problem that prevented a container from being read completely.
package enum ContainerProblem: Sendable, Hashable, Codable {
    /// Stored by earlier versions.
    case unreadable(FileError)
    case tnef(TNEFProblem)
    case outlook(OutlookProblem)
    /// A JSON text, or a line of a list of them.
    case jsonTruncated

    /// Part of the JSON records, so never change it.
    package var code: String {
        switch self {
        case .unreadable: "unreadable"
        case .tnef(let problem): problem.code
        case .outlook(let problem): problem.code
        case .jsonTruncated: "truncated"
        }
    }

    /// The size of the contained names, in bytes.
    package var textSize: Int {
        switch self {
        case .tnef(.attachmentTruncated(let name?)), .outlook(.attachmentTruncated(let name?)):
            name.utf8.count
        case .tnef(.body(let problem)), .outlook(.body(let problem)): problem.name.utf8.count
        default: 0
        }
    }
}

/// Why a winmail.dat could not be read completely.
package enum TNEFProblem: Sendable, Hashable, Codable {
    case tooManyAttributes(limit: Int)
    case tooManyAttachments(limit: Int)
    case tooManyProperties(limit: Int)
    /// The limit is in bytes.
    case namesTooLong(limit: Int)
    case truncated
    case attachmentTruncated(name: String?)
    /// The data that follows is not an attribute.
    case damaged
    case body(BodyProblem)

    package var code: String {
        switch self {
        case .tooManyAttributes: "limit-attributes"
        case .tooManyAttachments: "limit-attachments"
        case .tooManyProperties: "limit-properties"
        case .namesTooLong: "limit-names"
        case .truncated, .attachmentTruncated: "truncated"
        case .damaged: "unreadable"
        case .body(let problem): problem.reason.code
        }
    }
}

/// Why an Outlook message could not be read completely.
package enum OutlookProblem: Sendable, Hashable, Codable {
    case tooManyAttachments(limit: Int)
    /// Too many nested messages.
    case nestedTooDeep
    /// The limit is in bytes.
    case namesTooLong(limit: Int)
    case tooManyEntries(limit: Int)
    /// The limit is in bytes. Only the directory of the file shows whether it is a message.
    case tooLarge(limit: Int)
    case truncated
    case attachmentTruncated(name: String?)
    case body(BodyProblem)

    package var code: String {
        switch self {
        case .tooManyAttachments: "limit-attachments"
        case .tooLarge: "limit-input"
        case .nestedTooDeep: "limit-depth"
        case .namesTooLong: "limit-names"
        case .tooManyEntries: "limit-entries"
        case .truncated, .attachmentTruncated: "truncated"
        case .body(let problem): problem.reason.code
        }
    }
}

/// A body of a message that could not be read, or not completely, although a pass or a link may
/// be in it.
package struct BodyProblem: Sendable, Hashable, Codable {
    /// `body.txt`, `body.html` or `body.rtf`, after the subjects of the messages that contain it.
    package let name: String
    package let reason: Reason

    package init(name: String, reason: Reason) {
        self.name = name
        self.reason = reason
    }

    package enum Reason: Sendable, Hashable, Codable {
        case truncated
        case damaged
        /// The limit is in bytes.
        case tooLarge(limit: Int)
        case nestedTooDeep(limit: Int)
        case unknownCodePage(Int)

        package var code: String {
            switch self {
            case .truncated: "truncated"
            case .damaged, .unknownCodePage: "unreadable"
            case .tooLarge: "limit-inflated"
            case .nestedTooDeep: "limit-depth"
            }
        }
    }
}
