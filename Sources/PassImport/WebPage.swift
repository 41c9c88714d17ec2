package import Bytes
import Compression
import MIME
import MailSource
package import PassDetection

/// A web page that came where a pass, or what holds passes, was asked for.
package struct WebPage: Sendable {
    /// Those that may lead to passes, absolute, in their order.
    package let links: [Link]
    /// What the page is called, for people: its first 120 characters.
    package let title: String?
    /// Where browsers go on to from it by themselves.
    package let refresh: String?
    /// Whether there were more links than the limit.
    package let hasMore: Bool
    /// Whether a URL was longer than the limit, so that nobody knows where it leads.
    package let hasLongURL: Bool

    /// What a page that is compressed may hold, in bytes.
    private static let longest = 16 << 20

    /// Nil for what is no page, whatever its sender calls it. One that its sender compressed unasked is
    /// a page nevertheless.
    ///
    /// - Parameters:
    ///   - url: Where the page came from, after redirects.
    ///   - contentType: The value of the field, which names the page's character set.
    ///   - spool: Where one is kept while it is read that was compressed.
    package init?(
        _ file: DownloadedFile, at url: WebURL, contentType: String?, types: TypeMap,
        spool: SpoolPolicy = SpoolPolicy(), limits: LinkLimits = LinkLimits()
    ) throws(FileError) {
        let said = PartHeader(contentType: contentType, contentDisposition: nil).mediaTypes
        let isSaid = said.contains("text/html") || said.contains("application/xhtml+xml")
        guard let octets = try WebPage.octets(file.octets(), said: isSaid, spool) else {
            return nil
        }
        let beginning = try octets.array(0..<SourceKind.prefixLength)
        var found = PageLinks(at: url, types: types, limits: limits)
        let form = TextForm(ofPage: contentType, beginning: beginning)
        try octets.readText(form) { found.feed($0) }
        found.finish()
        links = found.links
        title = found.title
        refresh = found.refresh
        hasMore = found.hasMore
        hasLongURL = found.hasLongURL
    }

    /// The page itself; nil for what is none.
    private static func octets(
        _ octets: SpooledBytes, said: Bool, _ spool: SpoolPolicy
    ) throws(FileError) -> SpooledBytes? {
        let prefix = try octets.array(0..<SourceKind.prefixLength)
        guard FileSignature(prefix.span) == .gzip else {
            return isPage(prefix, said: said) ? octets : nil
        }
        var limits = CompressionLimits()
        limits.total = longest
        let decompressor = Decompressor(ByteSource(octets), .gzip, limits: limits)
        let inner = try ByteSource(stream: decompressor).bytes(
            at: 0, count: SourceKind.prefixLength)
        guard isPage(inner, said: said) else { return nil }
        return try ByteSource(stream: decompressor, prefix: inner).octets(
            limit: longest, spool)
    }

    /// - Parameter said: Whether its sender says so. Servers call everything a page that they know nothing
    ///   of, and pages nothing at all.
    private static func isPage(_ prefix: [UInt8], said: Bool) -> Bool {
        let source = prefix.span
        guard FileSignature(source) == nil, !SourceKind(source).isMail else { return false }
        if said { return true }
        let mark = source.hasPrefix("\u{FEFF}", at: 0) ? 3 : 0
        let start = source.trimmed(mark..<prefix.count).lowerBound
        return source.hasPrefix(caseInsensitive: "<!doctype html", at: start)
            || source.hasPrefix(caseInsensitive: "<html", at: start)
            || source.hasPrefix(caseInsensitive: "<head", at: start)
            || source.hasPrefix(caseInsensitive: "<body", at: start)
    }
}

extension DownloadedFile {
    /// What it holds. A file is open until nobody has its octets any more.
    func octets() throws(FileError) -> SpooledBytes {
        switch content {
        case .file(let path):
            let open = try SourceFile(path).open()
            return SpooledBytes(lookingInto: open.descriptor, size: open.size)
        case .octets(let octets): return octets
        }
    }
}
