/// A request to download a URL.
package struct DownloadRequest: Sendable, Hashable {
    package var url: String
    /// The message with the link.
    package var origin: Origin?
    /// The download of the page with the link.
    package var parent: Int64?
    /// Options for fetching and verifying, in the requester's format, for the process that fetches
    /// or continues the download.
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
