package import Bytes

/// A problem that prevented a message from being read completely.
package struct MIMEProblem: Sendable, Hashable {
    package let kind: Kind
    /// The number of the affected part; empty for the message.
    package let part: String

    package init(_ kind: Kind, part: String = "") {
        self.kind = kind
        self.part = part
    }

    /// A limit is the one that was exceeded; sizes are in bytes.
    package enum Kind: Sendable, Hashable, Codable {
        case unreadable(FileError)
        case nestedTooDeep(limit: Int)
        case tooManyParts(limit: Int)
        case partTooLarge(limit: Int)
        case headerTooLarge
        case tnef(TNEFProblem)
        case outlook(OutlookProblem)

        /// Part of the JSON records, so never change it.
        package var code: String {
            switch self {
            case .unreadable: "unreadable"
            case .nestedTooDeep: "limit-depth"
            case .tooManyParts: "limit-parts"
            case .partTooLarge: "limit-part-size"
            case .headerTooLarge: "limit-header"
            case .tnef(let problem): problem.code
            case .outlook(let problem): problem.code
            }
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

    var code: String {
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

    var code: String {
        switch self {
        case .tooManyAttachments: "limit-attachments"
        case .nestedTooDeep: "limit-depth"
        case .namesTooLong: "limit-names"
        case .tooManyEntries: "limit-entries"
        case .truncated, .attachmentTruncated: "truncated"
        }
    }
}

extension MIMEProblem.Kind {
    /// The size of the contained names, in bytes.
    package var textSize: Int {
        switch self {
        case .tnef(.attachmentTruncated(let name?)), .outlook(.attachmentTruncated(let name?)):
            name.utf8.count
        default: 0
        }
    }
}
