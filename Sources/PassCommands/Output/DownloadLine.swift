internal import Foundation
internal import PassStore

/// Downloads in a line each, for a person: `3  active   42%  4.2 MB of 10 MB  0:07 left  https://...`.
func downloadLines(_ downloads: [Download], _ now: Date, on terminal: Terminal) -> [String] {
    let rows = downloads.map { download in
        [
            String(download.id), download.state.rawValue, amount(download),
            time(download, now), abbreviated(download.shownURL).escaped,
        ] + [reason(download)].filter { !$0.isEmpty }
    }
    return aligned(rows)
}

/// What a download is now.
func downloadLine(_ download: Download) -> String {
    "\(download.id)  \(download.state.rawValue)  \(abbreviated(download.shownURL).escaped)"
}

private func amount(_ download: Download) -> String {
    let received = bytesInWords(download.receivedContentLength)
    guard let expected = download.expectedContentLength else {
        return download.receivedContentLength > 0 ? received : "-"
    }
    return "\(Int(download.progress * 100))% of \(bytesInWords(expected))"
}

private func time(_ download: Download, _ now: Date) -> String {
    if let remaining = download.timeRemaining { return "\(clock(remaining / .seconds(1))) left" }
    guard download.state == .waiting, let next = download.nextAttempt, next > now else {
        return "-"
    }
    return "again in \(clock(next.timeIntervalSince(now)))"
}

private func reason(_ download: Download) -> String {
    (download.error?.detail ?? download.outcome ?? "").escaped
}
