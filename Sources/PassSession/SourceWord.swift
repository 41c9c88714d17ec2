internal import Bytes
internal import Fetching
internal import Foundation
internal import Glibc
package import MailSource
package import PassImport
package import PassLinks
package import PassModel
internal import PassPresentation

/// An argument, or a line of a list, that names a source of passes.
package enum SourceWord: Sendable, Equatable {
    case standardInput
    case path(Path)
    /// A `data:` URL, and its form for display.
    case data(DataURL, shown: String)
    /// A URL that has to be fetched.
    case web(WebURL)
    /// A pass of the library, by its URL.
    case stored(PassIdentity)

    /// An argument counts as a URL if it contains `://` or begins with a scheme that needs no
    /// slashes. `./https:...` is always a path.
    package init(_ argument: String, in session: Session) throws(Failure) {
        if argument == "-" {
            self = .standardInput
            return
        }
        let given = session.path(argument)
        do throws(UnreadableWord) {
            let url = try SourceWord.url(given.bytes) { SourceWord.isThere(given) }
            self = url ?? .path(given)
        } catch {
            throw .unreadable(SourceWord.shown(given.bytes), reason: error.phrase)
        }
    }

    /// Parses a URL; nil if the text is not one.
    ///
    /// - Parameter isFile: Whether a file of that name exists, asked for schemes without slashes.
    package static func url(
        _ word: [UInt8], isFile: () -> Bool = { false }
    ) throws(UnreadableWord) -> SourceWord? {
        let url = unwrapped(word)
        guard let scheme = URLScheme(of: url) else { return nil }
        let hasSlashes = url.span.hasPrefix("://", at: scheme.name.utf8.count)
        switch scheme.name {
        case "file":
            // Inside a `file:` URL, brackets and spaces belong to the path.
            return .path(try FileURL(word.first == url.first ? word : url).path)
        case "https", "http":
            guard hasSlashes else { return nil }
            guard let url = WebURL(url)?.inASCII else {
                throw .noHost
            }
            if let refusal = FetchRequest.refusal(of: url.text) {
                throw .refused(refusal)
            }
            return .web(url)
        case "data":
            if isFile() { return nil }
            do throws(DataURLError) {
                return .data(try DataURL(url), shown: DataURL.shown(url))
            } catch {
                throw .data(error)
            }
        case "passconduit":
            if isFile() { return nil }
            return .stored(try identity(url))
        default:
            let isKnown = schemesWithoutSlashes.contains(scheme.name)
            guard hasSlashes || isKnown && !isFile() else { return nil }
            throw .unknownScheme(scheme.name)
        }
    }

    /// The input for the pipeline; nil if it has to be fetched or found in the library first.
    package var input: Input? {
        switch self {
        case .standardInput: .standardInput
        case .path(let path): .path(path)
        case .data(let url, let shown): .download(DownloadedFile(url, shown: shown))
        case .web, .stored: nil
        }
    }

    /// The form for display and records.
    package var shown: String {
        switch self {
        case .standardInput: "-"
        case .path(let path): path.description
        case .data(_, let shown): shown
        case .web(let url): url.shown
        case .stored(let identity): identity.passURL.absoluteString
        }
    }

    /// The URL to fetch; nil if there is none.
    package var url: WebURL? { if case .web(let url) = self { url } else { nil } }

    /// The pass that a passURL names: `passconduit:pass/TYPE/SERIAL`, percent-encoded.
    private static func identity(_ url: [UInt8]) throws(UnreadableWord) -> PassIdentity {
        guard let text = String(validatingStreamSafe: url),
            let url = URL(string: text, encodingInvalidCharacters: false),
            let identity = PassIdentity(passURL: url)
        else { throw .notPassURL }
        return identity
    }

    /// Schemes that name nothing to read; given by mistake, they are reported as URLs.
    private static let schemesWithoutSlashes: Set<String> = [
        "mailto", "cid", "mid", "tel", "sms", "javascript", "about", "blob", "urn",
    ]

    /// The URL without surrounding white space and the brackets of RFC 3986, Appendix C.
    package static func unwrapped(_ word: [UInt8]) -> [UInt8] {
        var url = word[word.span.trimmed(0..<word.count)]
        guard url.first == UInt8(ascii: "<"), url.last == UInt8(ascii: ">") else {
            return Array(url)
        }
        url = url.dropFirst().dropLast()
        let hasPrefix = Array(url).span.hasPrefix(caseInsensitive: "url:", at: 0)
        let inner = Array(url.dropFirst(hasPrefix ? 4 : 0))
        return Array(inner[inner.span.trimmed(0..<inner.count)])
    }

    /// The argument for an error message, shortened and without a password.
    private static func shown(_ word: [UInt8]) -> String {
        let url = unwrapped(word)
        if URLScheme(of: url)?.name == "data" { return DataURL.shown(url) }
        return abbreviated(withoutPassword(String(streamSafe: word)))
    }

    /// The text without user name and password (RFC 3986, 3.2.1), if it is a URL.
    private static func withoutPassword(_ text: String) -> String {
        guard let slashes = text.firstRange(of: "://") else { return text }
        let authority = text[slashes.upperBound...].prefix { !"/?#".contains($0) }
        guard let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
        return String(text[..<slashes.upperBound]) + text[text.utf8.index(after: at)...]
    }

    private static func isThere(_ path: Path) -> Bool {
        var status = stat()
        return unsafe path.withCString { unsafe lstat($0, &status) } == 0
    }
}
