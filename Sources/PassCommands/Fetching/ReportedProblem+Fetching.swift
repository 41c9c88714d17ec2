internal import PassDetection
internal import PassDownloads
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassStore

extension ReportedProblem {
    init(
        source: String, message: MessageReference? = nil, part: String? = nil,
        _ problem: FetchProblem
    ) {
        self.init(
            source: source, message: message, part: part, code: problem.code,
            problem.phrase, isTemporary: problem.isTemporary)
    }
}

extension Download {
    /// The URL without user name and password.
    var shownURL: String { WebURL(contentURL)?.shown ?? contentURL }
}
