public import Foundation
public import PassVerification

/// A verified pass and its origin.
///
/// ```swift
/// if let pass = try verifier.verify(contentsOf: url).verified {
///     let incoming = IncomingPass(pass: pass, origin: Origin(source: url.path))
///     try library.add([incoming])
/// }
/// ```
public struct IncomingPass: Sendable {
    /// The pass, with the octets to store.
    public let pass: VerifiedPass
    /// The origin of this copy.
    public let origin: Origin

    /// Creates an incoming pass.
    ///
    /// ```swift
    /// let again = IncomingPass(pass: incoming.pass, origin: Origin(source: "backup.mbox"))
    /// ```
    public init(pass: VerifiedPass, origin: Origin) {
        self.pass = pass
        self.origin = origin
    }
}

/// The origin of a version of a pass. Unknown values are nil.
///
/// ```swift
/// for origin in version.origins { print(origin.source, origin.subject ?? "") }
/// ```
public struct Origin: Sendable, Hashable, Codable {
    /// A path or a URL.
    public var source: String
    /// The Message-ID of the message, with or without angle brackets.
    public var messageID: String?
    /// The From field of the message.
    public var from: String?
    /// The Date field of the message.
    public var date: Date?
    /// The Subject field of the message.
    public var subject: String?
    /// The part number, and the member of a container in it: `1.2!ticket.pkpass`.
    public var part: String?

    /// Creates an origin.
    ///
    /// ```swift
    /// let origin = Origin(
    ///     source: "inbox.mbox", messageID: "<1@mail.example>", from: "tickets@example.com",
    ///     subject: "Your ticket", part: "2")
    /// ```
    public init(
        source: String, messageID: String? = nil, from: String? = nil, date: Date? = nil,
        subject: String? = nil, part: String? = nil
    ) {
        self.source = source
        self.messageID = messageID
        self.from = from
        self.date = date
        self.subject = subject
        self.part = part
    }
}
