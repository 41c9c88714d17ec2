package import Bytes
import Compression
import MIME
import MailSource
package import PassDetection
package import PassLinks
package import Platform

/// A web page that was served instead of a pass or container.
package struct WebPage: Sendable {
    /// Links that may lead to passes, absolute, in page order.
    package let links: [Link]
    /// The page title as displayed: its first 120 characters.
    package let title: String?
    /// The URL to which browsers redirect automatically.
    package let refresh: String?
    /// Whether there were more links than the limit.
    package let hasMore: Bool
    /// Whether a URL exceeded the limit and was skipped.
    package let hasLongURL: Bool

    /// The maximum size of a page, in bytes. Larger files are not treated as web pages.
    package static let longest = 16 << 20

    /// Nil if the file is not a web page, whatever its media type. VIOLATIONS.md, H6: pages that
    /// the server compressed unasked.
    ///
    /// - Parameters:
    ///   - url: The URL of the page, after redirects.
    ///   - contentType: The Content-Type field, which names the charset of the page.
    ///   - spool: Where a compressed page is kept while it is read.
    package init?(
        _ file: DownloadedFile, at url: WebURL, contentType: String?, types: TypeMap,
        spool: SpoolPolicy = SpoolPolicy(), limits: LinkLimits = LinkLimits()
    ) throws(FileError) {
        guard let octets = try WebPage.octets(file.octets(), file.hint, spool) else { return nil }
        let beginning = try octets.array(0..<ContentHead.length)
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

    /// The bytes of the page, decompressed; nil if it is not a web page.
    private static func octets(
        _ octets: SpooledBytes, _ hint: ContentKind.Hint, _ spool: SpoolPolicy
    ) throws(FileError) -> SpooledBytes? {
        let kind = try ContentHead(of: ByteSource(octets), hint).kind
        if kind == .webPage { return octets }
        guard kind == .file(.gzip) else { return nil }
        var limits = CompressionLimits()
        limits.total = longest
        let decompressor = Decompressor(ByteSource(octets), .gzip, limits: limits)
        let head = try ContentHead(of: ByteSource(stream: decompressor), hint)
        guard head.kind == .webPage else { return nil }
        return try ByteSource(stream: decompressor, prefix: head.bytes).octets(
            limit: longest, spool)
    }
}

extension DownloadedFile {
    /// The bytes of the file, which stays open until the last reference to them is gone.
    func octets() throws(FileError) -> SpooledBytes {
        switch content {
        case .file(let path):
            let open = try SourceFile(path).open()
            return SpooledBytes(lookingInto: open.descriptor, size: open.size)
        case .octets(let octets): return octets
        }
    }
}
