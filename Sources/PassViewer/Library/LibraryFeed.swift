internal import Foundation
internal import PassCommands
internal import PassModel
internal import PassStore

/// What is in the library now.
struct Shelf: Sendable {
    var passes: [StoredPass.ID: StoredPass] = [:]
    var rows: [ListRow] = []
    /// Whether all of them are here.
    var isWhole = false
    /// Why they are not, as an escaped clause.
    var problem: String?
}

/// Reads the library in the background, and what any process changes in it from then on.
actor LibraryFeed {
    private let session: WindowSession
    private let publish: @MainActor @Sendable (Shelf) -> Void
    private var shelf = Shelf()
    private var numbers: [PassIdentity: StoredPass.ID] = [:]
    private var pending: [LibraryChange] = []

    /// How many passes are read at a time.
    private static let page = 1000

    init(_ session: WindowSession, publish: @escaping @MainActor @Sendable (Shelf) -> Void) {
        self.session = session
        self.publish = publish
    }

    /// Goes on until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                let library = try session.library(for: .reading)
                let changes = try library.changes()
                try read(library)
                for await change in changes { note(change, in: library) }
            } catch LibraryError.noSuchLibrary {
                shelf = Shelf(isWhole: true)
                send()
            } catch {
                shelf.problem = "\(error)".escaped
                send()
            }
            // It may be made, or made again.
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func read(_ library: PassLibrary) throws {
        shelf = Shelf()
        numbers = [:]
        var count = 0
        while true {
            let page = try library.passes(
                sortedBy: .lastUpdate, limit: LibraryFeed.page, offset: count)
            for pass in page { put(pass) }
            count += page.count
            shelf.isWhole = page.count < LibraryFeed.page
            // The first ones at once, the others together.
            if count <= LibraryFeed.page || shelf.isWhole { arrange() }
            if shelf.isWhole { return }
        }
    }

    /// Changes come in crowds.
    private func note(_ change: LibraryChange, in library: PassLibrary) {
        pending.append(change)
        guard pending.count == 1 else { return }
        Task {
            try? await Task.sleep(for: .milliseconds(50))
            take(in: library)
        }
    }

    private func take(in library: PassLibrary) {
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
                    if let pass { put(pass) }
                case .removed(let identity):
                    if let id = numbers.removeValue(forKey: identity) { shelf.passes[id] = nil }
                case .everything: break
                }
            }
            shelf.problem = nil
        } catch {
            shelf.problem = "\(error)".escaped
        }
        arrange()
    }

    private func put(_ pass: StoredPass) {
        if let old = numbers.updateValue(pass.id, forKey: pass.identity), old != pass.id {
            shelf.passes[old] = nil
        }
        shelf.passes[pass.id] = pass
    }

    private func arrange() {
        shelf.rows = ListRow.arranged(shelf.passes.values, now: .now)
        send()
    }

    private func send() {
        onMain { [shelf, publish] in publish(shelf) }
    }
}
