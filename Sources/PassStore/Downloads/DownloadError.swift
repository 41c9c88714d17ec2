/// Why a download failed, or has to be tried again. PassPresentation contains the messages.
package struct DownloadError: Error, Sendable, Hashable {
    /// A stable code.
    package let code: String
    /// The failure as JSON, in the format of the process that stored it; nil if an earlier version
    /// of this program stored only a text.
    package let failure: String?
    /// The text stored by an earlier version of this program, in English.
    package let text: String?

    package init(code: String, failure: String? = nil, text: String? = nil) {
        self.code = code
        self.failure = failure
        self.text = text
    }
}
