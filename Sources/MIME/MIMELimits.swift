/// What one message may cost us. Each limit that is hit is reported, none silently.
package struct MIMELimits: Sendable {
    /// Multiparts within one another, and as many messages.
    package var depth = 100
    /// Parts of one message.
    package var parts = 10_000
    /// One header block, in bytes.
    package var headerBlock = 10 << 20
    /// Fields of one name that are looked at, of those that should stand once.
    package var repeatedFields = 16
    /// Parameters of one header field.
    package var parameters = 60_000
    /// One part as it stands in the message, still encoded, in bytes.
    package var partBody = 224 << 20

    package init() {}
}

/// Something that kept a message from being read whole.
package struct MIMEProblem: Sendable, Hashable {
    /// A stable code such as `limit-depth`.
    package let code: String
    /// A clause for a person, without a full stop.
    package let detail: String
    /// The number of the part where it happened; empty for the message.
    package let part: String
    /// Whether it was the system that could not do what was asked of it.
    package var isTemporary = false

    package init(code: String, detail: String, part: String, isTemporary: Bool = false) {
        self.code = code
        self.detail = detail
        self.part = part
        self.isTemporary = isTemporary
    }
}
