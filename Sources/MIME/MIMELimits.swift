/// Limits on the resources one message may use. Exceeding a limit is always reported.
package struct MIMELimits: Sendable {
    /// Nested multiparts, and likewise nested messages.
    package var depth = 100
    /// Parts of one message.
    package var parts = 10_000
    /// One header block, in bytes.
    package var headerBlock = 10 << 20
    /// Fields of the same name that are read, if the field should occur once.
    package var repeatedFields = 16
    /// Parameters of one header field.
    package var parameters = 60_000
    /// One part as in the message, still encoded, in bytes.
    package var partBody = 224 << 20

    package init() {}
}

/// A problem that prevented a message from being read completely.
package struct MIMEProblem: Sendable, Hashable {
    /// A stable code such as `limit-depth`.
    package let code: String
    /// A clause for display, without a full stop.
    package let detail: String
    /// The number of the affected part; empty for the message.
    package let part: String
    /// Whether the cause was a failure of this computer, not of the message.
    package var isTemporary = false

    package init(code: String, detail: String, part: String, isTemporary: Bool = false) {
        self.code = code
        self.detail = detail
        self.part = part
        self.isTemporary = isTemporary
    }
}
