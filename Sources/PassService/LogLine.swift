public import Foundation

/// A message that a device sent to `/v1/log`, such as an error in an answer of the service.
///
/// The text is as the device sent it, so it is not safe to print on a terminal.
///
/// For example: `for line in try await store.logLines(containing: "serial") { print(line.text) }`
public struct LogLine: Sendable, Hashable {
    /// When the message arrived.
    public let received: Date
    /// The message.
    public let text: String
}
