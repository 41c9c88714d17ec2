package import MIME
package import MailSource
package import PassStore

/// A file that came from elsewhere under another name.
package struct DownloadedFile: Sendable {
    /// Where it lies now.
    package var path: Path
    /// What records call it: where it came from.
    package var source: String
    /// What was said of it there: names and media types.
    package var header: PartHeader
    /// The mail or the page whose link led to it.
    package var link: Origin?

    package init(path: Path, source: String, header: PartHeader, link: Origin? = nil) {
        self.path = path
        self.source = source
        self.header = header
        self.link = link
    }
}
