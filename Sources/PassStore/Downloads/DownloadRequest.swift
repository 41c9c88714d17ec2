/// Something that is to be downloaded.
package struct DownloadRequest: Sendable, Hashable {
    package var url: String
    /// The mail that the link was in.
    package var origin: Origin?
    /// The download of the page that led here.
    package var parent: Int64?
    /// How it is to be fetched and judged, in the words of who asks; whoever goes on with it later gets
    /// them back.
    package var conditions: String?

    package init(
        url: String, origin: Origin? = nil, parent: Int64? = nil, conditions: String? = nil
    ) {
        self.conditions = conditions
        self.url = url
        self.origin = origin
        self.parent = parent
    }
}
