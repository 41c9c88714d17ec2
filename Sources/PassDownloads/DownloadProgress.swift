/// The progress of a download.
package struct DownloadProgress: Sendable {
    package let url: String
    /// In bytes.
    package let received: Int
    /// In bytes; nil while unknown.
    package let expected: Int?
    /// Nil while unknown.
    package let timeRemaining: Duration?
}
