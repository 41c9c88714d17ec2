package import Bytes
package import MIME
package import MailSource
import PassContainers
package import PassLinks
package import PassStore
package import Platform

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
    /// What the server says about the content. VIOLATIONS.md, H3: not every page is declared, and
    /// not all that is declared is a page.
    var hint: ContentKind.Hint {
        let pages = ["text/html", "application/xhtml+xml"]
        return header.contentHint.union(.isFile).union(
            header.mediaTypes.contains(where: pages.contains) ? .isWebPage : [])
    }

    /// The type of the file, to explain why it is not a pass.
    package func type() throws(FileError) -> FileType { FileTypes().type(of: try octets()) }

    /// The contents of a `data:` URL.
    package init(_ url: DataURL, shown: String) {
        self.init(
            .octets(SpooledBytes(url.body)), source: shown,
            header: PartHeader(contentType: url.contentType, contentDisposition: nil))
    }
}
