internal import Bytes
internal import MailSource
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import SourceWatch

/// Watches for new files and imports them until its task is cancelled.
struct WatchLoop: Sendable {
    let places: [Path]
    /// The folder of the library.
    let folder: Path
    /// Opens the library anew each time, since it may have been replaced.
    let library: @Sendable () throws -> PassLibrary
    let options: ImportOptions
    let timing: WatchTiming
    let reports: ImportPrinter

    func run(until stop: StopSignals) async throws {
        var reports = reports
        var delays = SettlingDelays()
        let identity = FolderIdentity(folder)
        var watcher = SourceWatcher(
            places, leavingOut: folder, followsLinks: options.followsLinks, timing: timing)
        while !Task.isCancelled {
            let rescans = watcher.rescans(at: .now)
            for notice in watcher.takeNotices() { reports.tell(notice) }
            if rescans.isEmpty {
                watcher.wait(orUntil: stop.coming, from: .now)
                continue
            }
            // The sandbox permits writing to this folder only, not to one that replaced it.
            guard FolderIdentity(folder) == identity else {
                throw Failure.unwritable(
                    folder.description,
                    reason: Phrase("the library was replaced; start again"))
            }
            let start = ContinuousClock.now
            do {
                defer { reports.finishRun() }
                let outcome = try await read(rescans, watcher, &reports)
                watcher.finish(rescans, from: start, to: .now)
                reports.forgetFailure()
                for rescan in outcome.failed {
                    watcher.read(rescan, again: timing.longestRetry, at: .now)
                }
                for delay in delays.next(for: outcome.unsettled, of: rescans) {
                    watcher.read(delay.key, again: delay.value, at: .now)
                }
            } catch let error as LibraryError {
                reports.tell(error)
                watcher.fail(rescans, at: .now)
            } catch is CancellationError {
                return
            }
        }
    }

    /// The files to read again even if they do not change.
    private struct RescanResult {
        /// Reading failed because of a system error.
        var failed: [Rescan] = []
        /// Files may have been written to since they were read.
        var unsettled: [Rescan] = []
    }

    private func read(
        _ rescans: [Rescan], _ watcher: borrowing SourceWatcher, _ reports: inout ImportPrinter
    ) async throws -> RescanResult {
        var options = options
        options.followChanges()
        options.library = try library()
        options.folderLeftOut = folder
        options.unfinished = watcher.unfinished
        options.tellsChanges = true
        let roots = watcher.presentRoots
        var outcome = RescanResult()
        for rescan in rescans {
            let inputs: [Input] =
                switch rescan {
                case .everything: roots.map { .path($0) }
                case .tree(let path): [.path(path)]
                case .folder(let path): [.folder(path)]
                }
            var isTemporary = false
            let summary = try await PassImport.run(inputs, options) { event in
                if case .problem(let problem) = event, problem.isVanished { return }
                isTemporary = isTemporary || event.isTemporary
                try reports.tell(event)
            }
            if rescan == .everything {
                reports.tellLinks(summary, followsLinks: options.followsLinks)
            }
            if isTemporary {
                outcome.failed.append(rescan)
            } else if summary.unsettled > 0 {
                outcome.unsettled.append(rescan)
            }
        }
        return outcome
    }
}

extension Event {
    /// Whether the event is a system error.
    fileprivate var isTemporary: Bool {
        switch self {
        case .pass(let found): found.fileError != nil
        case .link: false
        case .problem(let problem): problem.isTemporary
        }
    }
}

extension Problem {
    /// Whether a mail was moved during the scan. It is found in its new folder.
    fileprivate var isVanished: Bool {
        switch kind {
        case .vanished, .source(.vanished): true
        default: false
        }
    }
}
