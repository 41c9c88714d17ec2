internal import Foundation
internal import Localization
internal import PassPresentation
internal import PassStore

/// Downloads, one per line: `3  active   42% of 10 MB  0:07 left  https://...`, and why they wait
/// or failed. On a terminal they fit its width, unless they are wanted in full.
func downloadLines(
    _ downloads: [Download], _ now: Date, isFull: Bool, on terminal: Terminal
) -> [String] {
    let rows = downloads.map { download in
        [
            String(download.id), inWords(download.state), amount(download), time(download, now),
        ]
    }
    let urls = downloads.map { abbreviated($0.shownURL).escaped }
    let reasons = downloads.map(reason)
    guard !isFull, terminal.isTerminal else {
        return aligned(
            rows.indices.map { row in
                rows[row] + [urls[row]] + [reasons[row]].filter { !$0.isEmpty }
            })
    }
    // The empty cell pads the one before it.
    let leads = aligned(rows.map { $0 + [""] })
    return leads.indices.flatMap { row in
        let room = max(terminal.lineWidth - columns(leads[row]), 1)
        let reason = reasons[row].isEmpty ? [] : terminal.indented(reasons[row])
        return [leads[row] + shortened(urls[row], to: room, terminal.ellipsis)] + reason
    }
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
