/// How far a body is on its way.
package struct DownloadProgress: Sendable {
    package let url: String
    /// In bytes.
    package let received: Int
    /// In bytes; nil while it is unknown.
    package let expected: Int?
    /// Nil while it is unknown.
    package let timeRemaining: Duration?
}
