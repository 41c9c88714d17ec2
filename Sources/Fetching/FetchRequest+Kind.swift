extension FetchRequest {
    /// Whether the body of the response is written to ``file``.
    package var writesFile: Bool { method == .get }

    /// Whether the properties may be combined.
    package var isConsistent: Bool {
        (method == .post) == (json != nil) && json?.utf8.count ?? 0 <= FetchRequest.longestJSON
            && (writesFile || resumption == nil && modifiedSince == nil)
    }
}
