internal import Foundation
internal import Localization
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

extension Open {
    /// The command that imports these passes; nil if none can be imported. Those in the library
    /// are left out.
    func importCommand(for opened: OpenedPasses, in session: Session) throws -> String? {
        let passes = try opened.passes.filter {
            try $0.verification.verified != nil && !$0.isInShortenedURL
                && !place.contains($0.source, in: session)
                && (try? place.prospect(of: $0, in: session))??.admission != .unchanged
        }
        var words = ["passconduit import"]
        var sources: [String] = []
        for found in passes {
            let verdict = found.verification.verdict
            let option = "--accept \(verdict.rawValue)"
            if verdict != .trusted, !words.contains(option) { words.append(option) }
            let source = found.source == "-" ? "-" : quoted(found.source)
            if sources.last != source { sources.append(source) }
        }
        if sources.isEmpty { return nil }
        let isFetched = passes.contains { WebURL($0.source) != nil }
        let given = options + (isFetched ? fetching.words : [])
        words += given.map { $0.hasPrefix("--") ? $0 : quoted($0) }
        return (words + sources).joined(separator: " ").escaped
    }

    /// The options for another run of the program, with absolute paths.
    var options: [String] {
        func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }
        return trust.roots.flatMap { ["--trust-root", absolute($0)] }
            + (place.library.map { ["--library", absolute($0)] } ?? [])
    }
}

extension FoundPass {
    /// Whether the displayed URL is cut off.
    fileprivate var isInShortenedURL: Bool {
        source.hasPrefix("data:") && source.hasSuffix("...")
    }
}

/// A hint that user name and password have to be added to the URLs in the command, since they are
/// not shown; empty if there are none.
func withheldSecrets(of command: String, _ files: [String], in session: Session) -> String {
    let isMissing = files.contains { file in
        guard let url = try? SourceWord(file, in: session).url, !url.user.isEmpty else {
            return false
        }
        return command.contains(url.shown.escaped)
    }
    return isMissing
        ? localized(" (with the user name and password of the URL, which are not shown)") : ""
}
