internal import Foundation
package import MailSource
package import PassLinks
package import PassModel

/// Something to open: a file by its path or `file:` URL, the standard input, a URL, or a pass of the
/// library by its URL.
package struct OpenTarget {
    package let word: SourceWord

    package init(_ argument: String, in session: Session) throws(Failure) {
        word = try SourceWord(argument, in: session)
    }

    init(_ word: SourceWord) { self.word = word }

    /// Nil if it is not a file.
    package var path: Path? { if case .path(let path) = word { path } else { nil } }

    /// The URL to fetch; nil if there is none.
    package var url: WebURL? { word.url }

    /// The pass of the library; nil if it is something else.
    package var stored: PassIdentity? {
        if case .stored(let identity) = word { identity } else { nil }
    }

    /// Nil if it has to be fetched or found in the library.
    package var source: OpenedPasses.NamedInput? {
        word.input.map { OpenedPasses.NamedInput(input: $0, name: name) }
    }

    /// The absolute path, or the argument as shown to users and in records.
    package var name: String { absolute?.description ?? word.shown }

    /// The absolute path; nil if it is not a file.
    package var absolute: Path? {
        guard let path, path.bytes.first != UInt8(ascii: "/") else { return path }
        return Path(FileManager.default.currentDirectoryPath).appending(path.bytes)
    }
}
