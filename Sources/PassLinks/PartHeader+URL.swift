import Bytes
package import MIME

extension PartHeader {
    /// The header of an HTTP response, with the last path segment of its URL as another name.
    package init(contentType: String?, contentDisposition: String?, url: WebURL?) {
        let header = PartHeader(contentType: contentType, contentDisposition: contentDisposition)
        let segment = url.flatMap { URLParts(Array($0.text.utf8))?.segments.last }
        let name = segment.flatMap { PartHeader.fileName(Charset.guess($0)) }
        self = header.named(header.names + (name.map { [$0] } ?? []))
    }
}
