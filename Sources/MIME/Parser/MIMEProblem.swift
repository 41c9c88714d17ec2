package import Platform

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

        /// Part of the JSON records, so never change it.
        package var code: String {
            switch self {
            case .unreadable: "unreadable"
            case .nestedTooDeep: "limit-depth"
            case .tooManyParts: "limit-parts"
            case .partTooLarge: "limit-part-size"
            case .headerTooLarge: "limit-header"
            }
        }
    }
}
