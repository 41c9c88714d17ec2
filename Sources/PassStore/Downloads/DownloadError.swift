/// Why a download failed, or has to be tried again. PassPresentation has the words.
public struct DownloadError: Error, Sendable, Hashable {
    /// A word for it that stays the same.
    public let code: String
    /// The failure as JSON, in the form of whoever noted it; nil where a version of this program noted it
    /// that stored only a text.
    package let failure: String?
    /// That text, in English.
    package let text: String?

    package init(code: String, failure: String? = nil, text: String? = nil) {
        self.code = code
        self.failure = failure
        self.text = text
    }
}
