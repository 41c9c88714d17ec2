extension FetchRequest {
    /// In bytes; servers usually accept about half of it.
    package static let longestURL = 16_384
    /// The maximum size of ``json``, in bytes; servers usually accept a megabyte.
    package static let longestJSON = 65_536

    /// The failure for a URL that is too long; nil for others.
    package static func refusal(of url: String) -> FetchFailure? {
        guard url.utf8.count > longestURL else { return nil }
        return FetchFailure(.urlTooLong(limit: longestURL))
    }
}
