package import Fetching
import Foundation
import MailSource
package import PassDownloads
package import PassStore
import Platform
import Synchronization

/// Updates passes until its task is cancelled: at once when a service announces a change, and
/// otherwise when they are due.
package struct UpdateLoop: Sendable {
    package enum Notice: Sendable {
        /// The stream of a service failed; it is opened again later.
        case streamFailed(host: String, FetchFailure)
        case library(LibraryError)
    }

    /// Opens the library, which may have been replaced.
    private let library: @Sendable () throws -> PassLibrary
    private let process: FetchProcess
    private let listener: EventListener
    private let folder: String
    private let options: UpdateOptions

    /// - Parameters:
    ///   - process: Fetches lists and passes.
    ///   - streams: Fetches event streams.
    ///   - folder: The folder for bodies.
    ///   - idleTimeout: The time after which a silent stream ends, in seconds.
    package init(
        _ process: FetchProcess, streams: FetchProcess, in folder: String,
        _ options: UpdateOptions, idleTimeout: Double,
        library: @escaping @Sendable () throws -> PassLibrary
    ) {
        var options = options
        options.leavesSilentHosts = true
        self.library = library
        self.process = process
        listener = EventListener(streams, options.terms, idleTimeout: idleTimeout)
        self.folder = folder
        self.options = options
    }

    /// - Parameters:
    ///   - notice: Called for problems that do not end the loop.
    ///   - report: Called for each pass requested.
    ///   - runEnded: Called after each run.
    package func run(
        notice: (Notice) -> Void, report: (UpdateReport) throws -> Void, runEnded: () -> Void
    ) async throws {
        let (wakes, wake) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let libraryChanges = Flag()
        let listening = Task {
            defer { wake.finish() }
            try await listener.run { wake.yield() }
        }
        let watching = Task {
            while !Task.isCancelled {
                if let changes = try? library().changes() {
                    for await _ in changes {
                        libraryChanges.raise()
                        wake.yield()
                    }
                }
                // The library may have been replaced.
                try await Task.sleep(for: .seconds(1))
            }
        }
        defer {
            listening.cancel()
            watching.cancel()
        }
        try await loop(wakes, libraryChanges, notice, report, runEnded)
        if !Task.isCancelled { throw UpdateRunEnded() }
    }

    private func loop(
        _ wakes: AsyncStream<Void>, _ libraryChanges: Flag,
        _ notice: (Notice) -> Void, _ report: (UpdateReport) throws -> Void,
        _ runEnded: () -> Void
    ) async throws {
        var plan = LoopPlan()
        var (hasBegun, lastError): (Bool, LibraryError?) = (false, nil)
        // The first run may take long.
        try? listener.follow(library().followedServices())
        for await _ in wakes {
            if Task.isCancelled { return }
            let now = Date()
            take(listener.takeNews(), at: now, &plan, notice)
            if libraryChanges.lower() {
                plan.libraryChanged(at: now)
            }
            guard let passes = plan.next(at: now) else { continue }
            var taken: Set<ListKey> = []
            do {
                let library = try library()
                for service in plan.unknownServices(at: now) {
                    try library.registerAgain(at: service)
                    plan.remove(unknown: service)
                }
                let update = try await update(
                    library, passes, report,
                    news: {
                        var news = Set(plan.takeChanged(at: .now))
                        news.formUnion(
                            listener.takeChanges { key in
                                library.hasRegistration(key) && plan.mayRequest(key, at: .now)
                            })
                        taken.formUnion(news)
                        return Array(news)
                    })
                guard let summary = update else {
                    plan.postpone(passes, at: now)
                    continue
                }
                (hasBegun, lastError) = (true, nil)
                plan.note(summary, of: passes, news: taken, at: .now)
                runEnded()
                try listener.follow(library.followedServices())
                let next = try library.nextUpdate(includingHTTP: options.terms.allowsHTTP)
                plan.finish(passes, next: next, at: .now)
            } catch let error as LibraryError {
                // A library that can never be written.
                guard hasBegun || error.isTemporary else { throw error }
                if error != lastError { notice(.library(error)) }
                lastError = error
                plan.postpone(passes, news: taken, at: now)
            }
        }
    }

    private func take(
        _ news: [StreamConnections.News], at now: Date, _ plan: inout LoopPlan,
        _ notice: (Notice) -> Void
    ) {
        for news in news {
            switch news {
            case .changed(let keys):
                // A service may name any types.
                if let library = try? library() {
                    plan.changed.formUnion(keys.filter(library.hasRegistration))
                }
            case .unknownDevice(let service): plan.add(unknown: service, at: now)
            case .failed(let service, let failure):
                notice(.streamFailed(host: service.host, failure))
            }
        }
    }

    /// - Parameter news: Returns the lists that have changed in the meantime.
    /// - Returns: Nil if another process is updating the passes.
    private func update(
        _ library: PassLibrary, _ passes: UpdateRun.Passes,
        _ report: (UpdateReport) throws -> Void, news: () -> [ListKey]
    ) async throws -> UpdateSummary? {
        guard let lock = try UpdateFolder(at: folder, patience: .seconds(2)) else { return nil }
        process.reportsPauses = true
        defer { process.reportsPauses = false }
        let run = UpdateRun(library, process, in: Path(lock.path), options)
        let summary = try await run.run(
            passes, progress: { _, _ in }, news: news, report: report)
        withExtendedLifetime(lock) {}
        return summary
    }
}

/// Set by one task and read by another.
private final class Flag: Sendable {
    private let isRaised = Mutex(false)

    func raise() { isRaised.withLock { $0 = true } }

    /// Lowers the flag; returns whether it was raised.
    func lower() -> Bool {
        isRaised.withLock { isRaised in
            defer { isRaised = false }
            return isRaised
        }
    }
}

extension PassLibrary {
    /// Whether a list may name passes of this library.
    fileprivate func hasRegistration(_ key: ListKey) -> Bool {
        (try? isRegistered(key.passTypeIdentifier, at: key.service)) ?? true
    }
}

extension LibraryError {
    /// Whether another process uses or replaces the library at the moment.
    fileprivate var isTemporary: Bool {
        switch self {
        case .locked, .replaced: true
        default: false
        }
    }
}
