internal import Foundation
internal import PassCommands
internal import PassModel
internal import PassPresentation
internal import PassStore

/// Reads the library in the background, and what any process changes in it from then on; and follows the clock.
actor LibraryFeed {
    private let session: WindowSession
    private let publish: @MainActor @Sendable (LibrarySnapshot) -> Void
    private var snapshot = LibrarySnapshot()
    private var pending: [LibraryChange] = []
    /// Tells one library from the one that came in its place.
    private var opening = 0
    private var clock: Task<Void, Never>?

    /// How many passes are read at a time.
    private static let page = 1000
    /// In seconds: how late it is noticed that the computer slept, or that its clock was set.
    private static let longestWait = 60.0

    init(
        _ session: WindowSession, publish: @escaping @MainActor @Sendable (LibrarySnapshot) -> Void
    ) {
        self.session = session
        self.publish = publish
    }

    /// Goes on until it is cancelled.
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
                let problem = opening == 0 ? nil : "\(LibraryError.noSuchLibrary(path))".escaped
                if !snapshot.isWhole || !snapshot.passes.isEmpty || snapshot.problem != problem {
                    var empty = LibrarySnapshot()
                    (empty.isWhole, empty.problem) = (true, problem)
                    empty.replacements = snapshot.replacements
                    snapshot = empty
                    send()
                }
            } catch {
                say(translated("\(error)").escaped)
            }
            // It may be made, or made again.
            try? await Task.sleep(for: pause)
        }
    }

    private func read(_ library: PassLibrary) throws {
        var new = LibrarySnapshot()
        new.replacements = snapshot.replacements
        var count = 0
        while !new.isWhole {
            let page = try library.passes(
                sortedBy: .lastUpdate, limit: LibraryFeed.page, offset: count)
            for pass in page { new.put(pass) }
            count += page.count
            new.isWhole = page.count < LibraryFeed.page
            // The first ones at once, the others together.
            if new.isWhole || snapshot.passes.isEmpty {
                snapshot = new
                arrange()
            }
        }
    }

    /// Changes come in crowds.
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
            // One by one they would take longer than all at once.
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
            snapshot.problem = nil
            arrange()
        } catch LibraryError.replaced {
            // The changes end, and it is opened again.
        } catch {
            // What changed is not forgotten.
            pending = [.everything]
            take(in: library, after: .seconds(1))
            say(translated("\(error)").escaped)
        }
    }

    private func arrange() {
        snapshot.arrange(at: .now)
        send()
        wind()
    }

    /// Waits for the next pass that comes to another place.
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
        arranged.arrange(at: .now)
        if arranged.places != snapshot.places {
            snapshot = arranged
            send()
        }
        wind()
    }

    /// Once, however often it is met.
    private func say(_ problem: String) {
        guard snapshot.problem != problem else { return }
        snapshot.problem = problem
        send()
    }

    private func send() {
        onMain { [snapshot, publish] in publish(snapshot) }
    }
}
