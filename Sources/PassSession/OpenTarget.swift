internal import Foundation
package import MailSource
package import PassDetection

/// What somebody wants opened: a file by its path or its `file:` URL, the standard input, or what a URL
/// leads to.
package struct OpenTarget {
    package let word: SourceWord

    package init(_ argument: String, in session: Session) throws(Failure) {
        word = try SourceWord(argument, in: session)
    }

    /// Nil for what is no file.
    package var path: Path? { if case .path(let path) = word { path } else { nil } }

    /// What has to be fetched.
    package var url: WebURL? { if case .web(let url) = word { url } else { nil } }

    /// Nil for what has to be fetched.
    package var source: OpenedPasses.NamedInput? {
        word.input.map { OpenedPasses.NamedInput(input: $0, name: name) }
    }

    /// For people and records: from the root, so that it holds in another folder too.
    package var name: String { absolute?.description ?? word.shown }

    /// Nil for what is no file.
    package var absolute: Path? {
        guard let path, path.bytes.first != UInt8(ascii: "/") else { return path }
        return Path(FileManager.default.currentDirectoryPath).appending(path.bytes)
    }
}
