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
