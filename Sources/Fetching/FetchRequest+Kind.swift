extension FetchRequest {
    /// Whether the body of the response is written to ``file``.
    package var writesFile: Bool { method == .get && !isStream }

    /// Whether the properties may be combined.
    package var isConsistent: Bool {
        guard (method == .post) == (json != nil), json?.utf8.count ?? 0 <= FetchRequest.longestJSON,
            isStream || lastEventID == nil
        else { return false }
        return writesFile
            || resumption == nil && modifiedSince == nil && (method == .get || !isStream)
    }
}
