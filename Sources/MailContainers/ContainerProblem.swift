package import Platform

/// A problem that prevented a container from being read completely.
package enum ContainerProblem: Sendable, Hashable, Codable {
    /// Stored by earlier versions.
    case unreadable(FileError)
    case tnef(TNEFProblem)
    case outlook(OutlookProblem)

    /// Part of the JSON records, so never change it.
    package var code: String {
        switch self {
        case .unreadable: "unreadable"
        case .tnef(let problem): problem.code
        case .outlook(let problem): problem.code
        }
    }

    /// The size of the contained names, in bytes.
    package var textSize: Int {
        switch self {
        case .tnef(.attachmentTruncated(let name?)), .outlook(.attachmentTruncated(let name?)):
            name.utf8.count
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

    package var code: String {
        switch self {
        case .tooManyAttributes: "limit-attributes"
        case .tooManyAttachments: "limit-attachments"
        case .tooManyProperties: "limit-properties"
        case .namesTooLong: "limit-names"
        case .truncated, .attachmentTruncated: "truncated"
        case .damaged: "unreadable"
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
    case truncated
    case attachmentTruncated(name: String?)

    package var code: String {
        switch self {
        case .tooManyAttachments: "limit-attachments"
        case .nestedTooDeep: "limit-depth"
        case .namesTooLong: "limit-names"
        case .tooManyEntries: "limit-entries"
        case .truncated, .attachmentTruncated: "truncated"
        }
    }
}
