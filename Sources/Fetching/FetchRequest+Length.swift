extension FetchRequest {
    /// In bytes; servers take about half of it.
    package static let longestURL = 16_384

    /// Why a URL is not asked for, if that is its length.
    package static func refusal(of url: String) -> FetchFailure? {
        guard url.utf8.count > longestURL else { return nil }
        return FetchFailure(.url, "this URL is longer than \(longestURL) bytes")
    }
}
