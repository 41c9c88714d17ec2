/// Why a download failed, or has to be tried again.
public struct DownloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A word for it that stays the same.
    public let code: String
    /// A lower-case clause without a full stop, which may hold what a stranger wrote.
    public let detail: String

    /// An error as a person reads it.
    public init(code: String, detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { detail }
}
