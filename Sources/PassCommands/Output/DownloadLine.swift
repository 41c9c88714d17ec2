internal import Foundation
internal import Localization
internal import PassPresentation
internal import PassStore

/// Downloads, one per line: `3  active   42%  4.2 MB of 10 MB  0:07 left  https://...`.
func downloadLines(_ downloads: [Download], _ now: Date, on terminal: Terminal) -> [String] {
    let rows = downloads.map { download in
        [
            String(download.id), inWords(download.state), amount(download),
            time(download, now), abbreviated(download.shownURL).escaped,
        ] + [reason(download)].filter { !$0.isEmpty }
    }
    return aligned(rows)
}

/// A download without its progress.
func downloadLine(_ download: Download) -> String {
    "\(download.id)  \(inWords(download.state))  \(abbreviated(download.shownURL).escaped)"
}

private func amount(_ download: Download) -> String {
    let received = bytesForReader(download.receivedContentLength)
    guard let expected = download.expectedContentLength else {
        return download.receivedContentLength > 0 ? received : "-"
    }
    return localized(
        "{share} of {total}",
        ["share": "\(Int(download.progress * 100))%", "total": bytesForReader(expected)])
}

private func time(_ download: Download, _ now: Date) -> String {
    if let remaining = download.timeRemaining {
        return localized("{time} left", ["time": clock(remaining / .seconds(1))])
    }
    guard download.state == .waiting, let next = download.nextAttempt, next > now else {
        return "-"
    }
    return localized("again in {time}", ["time": clock(next.timeIntervalSince(now))])
}

private func reason(_ download: Download) -> String {
    download.reason?.localized.escaped ?? ""
}

private func inWords(_ state: Download.State) -> String {
    switch state {
    case .waiting: localized("waiting")
    case .active: localized("active")
    case .paused: localized("paused")
    case .finished: localized("finished")
    case .failed: localized("failed")
    case .cancelled: localized("cancelled")
    }
}
