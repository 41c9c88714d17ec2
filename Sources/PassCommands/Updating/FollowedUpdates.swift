internal import DesktopIntegration
internal import Fetching
internal import Foundation
internal import Localization
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassUpdates
internal import Platform

/// `passconduit update --follow`: updates passes until it is stopped.
struct FollowedUpdates {
    let place: LibraryArguments
    let options: UpdateOptions
    let configuration: FetchConfiguration
    let json: Bool
    let notify: Bool

    func run(in shell: Shell) async throws {
        let folder = try place.folder(in: shell.session)
        let bodies = try PassLibrary.makeUpdatesFolder(at: folder)
        let lock = try lock(folder.path)
        let updates = try FetchProgram(writingTo: bodies, configuration)
        let streams = try FetchProgram(writingTo: bodies, configuration)
        let notifier = notify ? ChangeNotifier(in: shell.environment) : nil
        if notify, notifier == nil {
            shell.console.problem(
                localized(
                    "notify-send is not installed or cannot be started: desktop notifications are not shown"
                ))
        }
        defer { notifier?.end() }
        StopSignals.beginAtRest()
        try shell.session.confine(spooling: options.spool, library: folder)

        let (place, session) = (place, shell.session)
        let loop = UpdateLoop(
            try updates.connect(), streams: try streams.connect(pausingEvery: 1000), in: bodies,
            options, idleTimeout: configuration.idleTimeout,
            library: { try place.library(for: .changing, in: session) })
        let printer = UpdatePrinter(json: json, notifier: notifier, shell)
        let told = ToldProblems()
        let stop = try StopSignals()
        let (start, starting) = AsyncStream.makeStream(of: Never.self)
        let task = Task {
            for await _ in start {}
            try await loop.run(notice: printer.tell) { report in
                // Unchanged passes are not reported: there may be many each hour.
                if report.outcome == .unchanged || told.contains(report, at: .now) { return }
                try printer.tell(report)
            } runEnded: {
                notifier?.finishRun()
            }
        }
        stop.begin { _ in task.cancel() }
        // From here on, a signal ends the loop properly.
        starting.finish()
        do {
            try await task.value
        } catch {
            guard task.isCancelled else { throw error }
        }
        withExtendedLifetime(lock) {}
    }

    /// Locks the library against another `update --follow`, which would end the streams of this
    /// process.
    private func lock(_ library: String) throws(Failure) -> FolderLock {
        let lock: FolderLock?
        do throws(FileError) {
            lock = try FolderLock(on: library, patience: .zero)
        } catch {
            throw .unwritable(library, reason: error.phrase)
        }
        guard let lock else {
            throw .unreadable(
                library, reason: Phrase("another process follows the updates of this library"))
        }
        return lock
    }
}
