package import Platform

/// A problem with reading a source.
package struct SourceProblem: Error, Sendable {
    package let path: Path
    package let kind: Kind

    package enum Kind: Hashable, Sendable, Codable {
        /// A link that leads to itself.
        case linkLoop
        case danglingLink
        case vanished
        case notAFile(SpecialFile)
        case unreadable(FileError)

        /// Part of the JSON records, so never change it.
        package var code: String {
            switch self {
            case .linkLoop: "symlink-loop"
            case .danglingLink: "dangling-link"
            case .vanished: "vanished"
            case .notAFile: "not-a-file"
            case .unreadable: "unreadable"
            }
        }
    }

    /// A file that is neither regular nor a directory.
    package enum SpecialFile: Hashable, Sendable, Codable {
        case fifo, socket, device, other
    }
}
