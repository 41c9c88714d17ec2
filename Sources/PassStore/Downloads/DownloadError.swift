/// Why a download failed or must be tried again.
public struct DownloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable code.
    public let code: String
    /// A lower-case clause without a full stop, which may contain untrusted text.
    public let detail: String

    /// Creates an error.
    public init(code: String, detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { detail }
}
