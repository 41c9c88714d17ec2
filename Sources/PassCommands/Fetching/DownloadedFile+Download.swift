internal import MIME
internal import MailSource
internal import PassImport
internal import PassLinks
internal import PassStore

extension DownloadedFile {
    init(_ download: Download, at path: String) {
        let asked = WebURL(download.contentURL)
        let url = download.url.flatMap { WebURL($0) } ?? asked
        let header = PartHeader(
            contentType: download.contentType, contentDisposition: download.contentDisposition,
            url: url)
        // The requested URL may contain a file name too.
        let names = PartHeader(contentType: nil, contentDisposition: nil, url: asked).names
        self.init(
            .file(Path(path)), source: download.shownURL,
            header: header.named(header.names + names.filter { !header.names.contains($0) }),
            link: download.origin)
    }
}
