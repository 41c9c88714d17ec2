/// Something that is to be downloaded.
package struct DownloadRequest: Sendable, Hashable {
    package var url: String
    /// The mail that the link was in.
    package var origin: Origin?
    /// The download of the page that led here.
    package var parent: Int64?

    package init(url: String, origin: Origin? = nil, parent: Int64? = nil) {
        self.url = url
        self.origin = origin
        self.parent = parent
    }
}
