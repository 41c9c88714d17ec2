package import Bytes
package import MIME
package import MailSource
package import PassDetection
package import PassStore

/// A file that came from elsewhere under another name.
package struct DownloadedFile: Sendable {
    package enum Content: Sendable {
        /// A file of ours.
        case file(Path)
        case octets(SpooledBytes)
    }

    package var content: Content
    /// What records call it: where it came from.
    package var source: String
    /// What was said of it there: names and media types.
    package var header: PartHeader
    /// The mail or the page whose link led to it.
    package var link: Origin?

    package init(
        _ content: Content, source: String, header: PartHeader, link: Origin? = nil
    ) {
        self.content = content
        self.source = source
        self.header = header
        self.link = link
    }
}

extension DownloadedFile {
    /// What a URL holds itself.
    package init(_ url: DataURL, shown: String) {
        self.init(
            .octets(SpooledBytes(url.body)), source: shown,
            header: PartHeader(contentType: url.contentType, contentDisposition: nil))
    }
}
