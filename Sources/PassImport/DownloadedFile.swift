package import Bytes
package import MIME
package import MailSource
package import PassLinks
package import PassStore

/// A file with a source other than its path.
package struct DownloadedFile: Sendable {
    package enum Content: Sendable {
        /// A file created by this program.
        case file(Path)
        case octets(SpooledBytes)
    }

    package var content: Content
    /// The source for records: where the file was fetched from.
    package var source: String
    /// Names and media types given by the server.
    package var header: PartHeader
    /// The message or page that contained the link.
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
    /// The contents of a `data:` URL.
    package init(_ url: DataURL, shown: String) {
        self.init(
            .octets(SpooledBytes(url.body)), source: shown,
            header: PartHeader(contentType: url.contentType, contentDisposition: nil))
    }
}
