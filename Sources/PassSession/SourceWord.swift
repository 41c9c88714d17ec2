internal import Bytes
internal import Fetching
internal import Glibc
package import MailSource
package import PassDetection
package import PassImport
internal import PassPresentation

/// What a word on the command line, or a line of a list, names as a place to look for passes.
package enum SourceWord: Sendable, Equatable {
    case standardInput
    case path(Path)
    /// What the URL itself holds, and the URL as it is shown.
    case data(DataURL, shown: String)
    /// Something that has to be fetched first.
    case web(WebURL)

    /// A word is taken for a URL where it looks like one: with `://`, or with a scheme that has none.
    /// What is written `./https:...` is always a path.
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
            throw .unreadable(SourceWord.shown(given.bytes), reason: error.reason)
        }
    }

    /// What a URL names; nil for what is none.
    ///
    /// - Parameter isFile: Whether there is a file of that name, for what looks little like a URL.
    package static func url(
        _ word: [UInt8], isFile: () -> Bool = { false }
    ) throws(UnreadableWord) -> SourceWord? {
        let url = unwrapped(word)
        guard let scheme = URLScheme(of: url) else { return nil }
        let hasSlashes = url.span.hasPrefix("://", at: scheme.name.utf8.count)
        switch scheme.name {
        case "file":
            // All that stands in one is of the path.
            return .path(try FileURL(word.first == url.first ? word : url).path)
        case "https", "http":
            guard hasSlashes else { return nil }
            guard let url = WebURL(url)?.inASCII else {
                throw UnreadableWord("this URL names no host, or none that there can be")
            }
            if let refusal = FetchRequest.refusal(of: url.text) {
                throw UnreadableWord(refusal.detail)
            }
            return .web(url)
        case "data":
            if isFile() { return nil }
            do throws(DataURLError) {
                return .data(try DataURL(url), shown: DataURL.shown(url))
            } catch {
                throw UnreadableWord(error.description)
            }
        default:
            let isKnown = schemesWithoutSlashes.contains(scheme.name)
            guard hasSlashes || isKnown && !isFile() else { return nil }
            throw UnreadableWord(
                "\(scheme.name): URLs cannot be read: only https:, http:, file: and data: URLs can")
        }
    }

    /// What the pipeline reads; nil for what has to be fetched first.
    package var input: Input? {
        switch self {
        case .standardInput: .standardInput
        case .path(let path): .path(path)
        case .data(let url, let shown): .download(DownloadedFile(url, shown: shown))
        case .web: nil
        }
    }

    /// As people and records see it.
    package var shown: String {
        switch self {
        case .standardInput: "-"
        case .path(let path): path.description
        case .data(_, let shown): shown
        case .web(let url): url.shown
        }
    }

    /// Nothing that people copy as a URL of something to be read, but for a mistake.
    private static let schemesWithoutSlashes: Set<String> = [
        "mailto", "cid", "mid", "tel", "sms", "javascript", "about", "blob", "urn",
    ]

    /// A URL without white space and the brackets of RFC 3986, Appendix C around it.
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

    /// A word as an error names it: URLs may be long, and hold passwords.
    private static func shown(_ word: [UInt8]) -> String {
        let url = unwrapped(word)
        if URLScheme(of: url)?.name == "data" { return DataURL.shown(url) }
        return abbreviated(withoutPassword(String(streamSafe: word)))
    }

    /// A text that may be a URL, without the name and the password in it (RFC 3986, 3.2.1).
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

/// Why a word names nothing that can be read.
package struct UnreadableWord: Error, Equatable {
    /// A lower-case clause without a full stop.
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}
