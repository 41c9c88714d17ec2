internal import Foundation
internal import MailSource

/// What somebody wants opened: a file by its path or its `file:` URL, or the standard input.
struct OpenTarget {
    /// Nil for the standard input.
    let path: Path?

    init(_ argument: String, in shell: Shell) throws(Failure) {
        switch try SourceWord(argument, in: shell) {
        case .standardInput: path = nil
        case .path(let given): path = given
        case .data, .web:
            throw .unreadable(
                argument, reason: "links are not fetched yet: download the file, and open that")
        }
    }

    var source: OpenedPasses.Source { OpenedPasses.Source(path: path, name: name) }

    /// For people and records: from the root, so that it holds in another folder too.
    var name: String { absolute?.description ?? "-" }

    /// Nil for the standard input.
    var absolute: Path? {
        guard let path, path.bytes.first != UInt8(ascii: "/") else { return path }
        return Path(FileManager.default.currentDirectoryPath).appending(path.bytes)
    }
}
