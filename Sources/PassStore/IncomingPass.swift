public import Foundation
public import PassVerification

/// A verified pass, and where it came from.
public struct IncomingPass: Sendable {
    /// The pass, with the octets that are kept.
    public let pass: VerifiedPass
    /// Where it came from this time.
    public let origin: Origin

    /// A pass that is to be taken in.
    public init(pass: VerifiedPass, origin: Origin) {
        self.pass = pass
        self.origin = origin
    }
}

/// Where a version of a pass came from. What is not known is nil.
public struct Origin: Sendable, Hashable, Codable {
    /// A path or a URL.
    public var source: String
    /// The Message-ID of the mail that brought it, with or without its angle brackets.
    public var messageID: String?
    /// Who sent that mail, as its header says.
    public var from: String?
    /// When that mail was sent, as its header says.
    public var date: Date?
    /// What that mail is about, as its header says.
    public var subject: String?
    /// The part of the mail, and the member of a container in it: `1.2!ticket.pkpass`.
    public var part: String?

    /// An origin; what is not known is left out.
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
