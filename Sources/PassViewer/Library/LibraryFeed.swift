internal import Foundation
internal import PassModel
internal import PassPresentation
internal import PassStore

/// Publishes snapshots of the library: at the start, after changes by any process, and as time
/// passes.
actor LibraryFeed {
    private let session: WindowSession
    private let publish: @MainActor @Sendable (LibrarySnapshot) -> Void
    private var snapshot = LibrarySnapshot()
    private var pending: [LibraryChange] = []
    /// Counts how often the library was opened, to discard changes of an earlier library.
    private var opening = 0
    private var clock: Task<Void, Never>?

    /// Number of passes read at a time.
    private static let page = 1000
    /// In seconds. Bounds the delay after the computer was suspended or its clock was set.
    private static let longestWait = 60.0

    init(
        _ session: WindowSession, publish: @escaping @MainActor @Sendable (LibrarySnapshot) -> Void
    ) {
        self.session = session
        self.publish = publish
    }

    /// Runs until it is cancelled.
    func run() async {
        defer { clock?.cancel() }
        while !Task.isCancelled {
            var pause = Duration.seconds(1)
            do {
                let library = try session.library(for: .reading)
                let changes = try library.changes()
                opening += 1
                pending = []
                if opening > 1 { snapshot.replacements += 1 }
                try read(library)
                for await change in changes { note(change, in: library) }
                pause = .milliseconds(100)
            } catch LibraryError.noSuchLibrary(let path) {
                let problem =
                    opening == 0
                    ? nil : LibraryError.noSuchLibrary(path).advisedPhrase.localized.escaped
                if !snapshot.isWhole || !snapshot.passes.isEmpty || snapshot.problem != problem {
                    var empty = LibrarySnapshot()
                    (empty.isWhole, empty.problem) = (true, problem)
                    empty.replacements = snapshot.replacements
                    snapshot = empty
                    send()
                }
            } catch {
                say(error)
            }
            // The library may be created, or replaced, in the meantime.
            try? await Task.sleep(for: pause)
        }
    }

    private func read(_ library: PassLibrary) throws {
        var new = LibrarySnapshot()
        new.replacements = snapshot.replacements
        new.updatesAutomatically = try library.updatesAutomatically()
        var count = 0
        while !new.isWhole {
            let page = try library.passes(
                sortedBy: .lastUpdate, limit: LibraryFeed.page, offset: count)
            for pass in page { new.put(pass) }
            count += page.count
            new.isWhole = page.count < LibraryFeed.page
            // Show the first page at once, the rest together.
            if new.isWhole || snapshot.passes.isEmpty {
                snapshot = new
                arrange()
            }
        }
    }

    /// Gathers changes for 50 ms, since many often arrive together.
    private func note(_ change: LibraryChange, in library: PassLibrary) {
        pending.append(change)
        if pending.count == 1 { take(in: library, after: .milliseconds(50)) }
    }

    private func take(in library: PassLibrary, after pause: Duration) {
        let opening = opening
        Task {
            try? await Task.sleep(for: pause)
            take(in: library, opening)
        }
    }

    private func take(in library: PassLibrary, _ opening: Int) {
        guard opening == self.opening else { return }
        let changes = pending
        pending = []
        do {
            // Reading this many passes one by one takes longer than reading all.
            if changes.contains(.everything) || changes.count > LibraryFeed.page {
                return try read(library)
            }
            for change in changes {
                switch change {
                case .added(let identity), .updated(let identity):
                    let pass = try library.pass(
                        withPassTypeIdentifier: identity.passTypeIdentifier,
                        serialNumber: identity.serialNumber)
                    if let pass { snapshot.put(pass) }
                case .removed(let identity): snapshot.remove(identity)
                case .everything: break
                }
            }
            (snapshot.problem, snapshot.isDamaged) = (nil, false)
            arrange()
        } catch LibraryError.replaced {
            // The stream of changes ends, and the library is opened again.
        } catch {
            // Read everything again, so that no change is lost.
            pending = [.everything]
            take(in: library, after: .seconds(1))
            say(error)
        }
    }

    private func arrange() {
        snapshot.arrange(at: .now, trusting: session.anchors)
        send()
        wind()
    }

    /// Waits until the next pass changes its section, and looks at the trust folder at least once a
    /// minute.
    private func wind() {
        clock?.cancel()
        let wait = snapshot.nextChange.map { max($0.timeIntervalSinceNow, 0) + 0.01 }
        let seconds = min(wait ?? .infinity, LibraryFeed.longestWait)
        clock = Task {
            do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
            tick()
        }
    }

    private func tick() {
        var arranged = snapshot
        arranged.arrange(at: .now, trusting: session.anchors)
        if arranged.places != snapshot.places || arranged.anchors != snapshot.anchors {
            snapshot = arranged
            send()
        }
        wind()
    }

    /// Reports a problem once, however often it recurs.
    private func say(_ error: any Error) {
        var isDamaged = false
        if case .corrupted? = error as? LibraryError { isDamaged = true }
        // The window has a button that mends a damaged library.
        let problem = (isDamaged ? error.phrase : error.advisedPhrase).localized.escaped
        guard snapshot.problem != problem else { return }
        snapshot.problem = problem
        snapshot.isDamaged = isDamaged
        send()
    }

    private func send() {
        onMain { [snapshot, publish] in publish(snapshot) }
    }
}
