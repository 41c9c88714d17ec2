/// A URL in a text that leads to a pass.
package struct Link: Sendable, Hashable {
    /// As it stands in the text, less what the text needed to hold it: character references, line
    /// breaks. The beginning only of one that is longer than is kept.
    package let url: String
    /// Of the whole URL, in bytes, where `url` is its beginning.
    package let size: Int?
    package let evidence: Evidence

    package init(url: String, size: Int? = nil, evidence: Evidence) {
        self.url = url
        self.size = size
        self.evidence = evidence
    }
}

/// What links may cost. Each limit that is hit is reported, none silently.
package struct LinkLimits: Sendable {
    /// Links to passes in one message.
    package var links = 1000
    /// The longest URL that is looked at whole, in bytes. RFC 9110, 4.1 asks for 8,000 at least.
    package var url = 64 << 10
    /// How much is kept of a `data:` URL, which holds a whole pass, in bytes.
    package var dataHead = 256
    /// How much is kept of all of these together, in bytes; in the text of mails, of each at least its
    /// first 256.
    package var data = 8 << 20
    /// How much of their base the relative links of a page may take on together, in bytes.
    package var bases = 16 << 20

    package init() {}
}
