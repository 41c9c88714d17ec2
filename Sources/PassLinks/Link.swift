package import PassDetection

/// A URL in a text that leads to a pass.
package struct Link: Sendable, Hashable {
    /// As in the text, without character references and line breaks. Only the beginning if it
    /// exceeds the limit.
    package let url: String
    /// The length of the whole URL in bytes, if `url` is only its beginning.
    package let size: Int?
    package let evidence: Evidence

    package init(url: String, size: Int? = nil, evidence: Evidence) {
        self.url = url
        self.size = size
        self.evidence = evidence
    }
}

/// Limits for links. Exceeding a limit is always reported.
package struct LinkLimits: Sendable {
    /// Links to passes in one message.
    package var links = 1000
    /// The longest URL that is examined completely, in bytes. RFC 9110, 4.1 requires at least
    /// 8,000.
    package var url = 64 << 10
    /// The limit of the stored beginning of a `data:` URL, in bytes; it may contain a whole pass.
    package var dataHead = 256
    /// The total stored size of all `data:` URLs, in bytes. In the text of messages, at least the
    /// first 256 bytes of each are stored.
    package var data = 8 << 20
    /// The total length of the base URL over all relative links of a page, in bytes.
    package var bases = 16 << 20

    package init() {}
}
