internal import Foundation
internal import PassPresentation
internal import PassStore

/// Passes that the user removed but can restore. They are hidden, but stay in the library until the
/// time for undo is over, so that a crash loses none.
@MainActor
final class Removals {
    /// Passes that were removed together and are restored together.
    private struct Removal {
        let number: Int
        var passes: [StoredPass]
        /// When the user removed them.
        let moment = Date.now
        var timer: Timer
    }

    struct Actions {
        /// Called when ``hidden`` changes.
        let changed: @MainActor @Sendable () -> Void
        let failed: @MainActor @Sendable (String) -> Void
        /// Whether the user may be about to undo; if so, the removal is postponed.
        let isAttended: @MainActor @Sendable () -> Bool
    }

    private let session: WindowSession
    private let application: Application
    private let actions: Actions
    private var removals: [Removal] = []
    /// Passes that are being deleted from the library.
    private var leaving: Set<StoredPass.ID> = []
    private var count = 0

    /// In milliseconds. Long enough to hear the message and to reach its button by keyboard.
    static let patience: UInt32 = 20_000
    /// In milliseconds; the delay after each postponement.
    static let shortPatience: UInt32 = 3000

    init(_ session: WindowSession, _ application: Application, _ actions: Actions) {
        self.session = session
        self.application = application
        self.actions = actions
    }

    var hidden: Set<StoredPass.ID> { leaving.union(removals.flatMap(\.passes).map(\.id)) }

    /// The passes that ``undo()`` restores.
    var last: [StoredPass] { removals.last?.passes ?? [] }

    func remove(_ passes: [StoredPass]) {
        let hidden = hidden
        let passes = passes.filter { !hidden.contains($0.id) }
        guard !passes.isEmpty else { return }
        count += 1
        removals.append(
            Removal(number: count, passes: passes, timer: timer(count, Removals.patience)))
        actions.changed()
    }

    func undo() -> [StoredPass] {
        guard let removal = removals.popLast() else { return [] }
        removal.timer.cancel()
        actions.changed()
        return removal.passes
    }

    /// Drops pending removals of passes that changed, since the user did not remove the newer
    /// version.
    ///
    /// - Returns: The passes with a newer version.
    func check(_ snapshot: LibrarySnapshot) -> [StoredPass] {
        leaving.formIntersection(snapshot.passes.keys)
        guard snapshot.isWhole else { return [] }
        var renewed: [StoredPass] = []
        for index in removals.indices {
            removals[index].passes.removeAll { pass in
                let now = snapshot.passes[pass.id]
                guard now?.current.sha256 != pass.current.sha256 else { return false }
                if let now { renewed.append(now) }
                return true
            }
        }
        for removal in removals where removal.passes.isEmpty { removal.timer.cancel() }
        removals.removeAll(where: \.passes.isEmpty)
        return renewed
    }

    func finishAll() { for removal in removals { finish(removal.number) } }

    private func timer(_ number: Int, _ patience: UInt32) -> Timer {
        Timer(milliseconds: patience) { [weak self] in self?.due(number) }
    }

    private func due(_ number: Int) {
        guard let index = removals.firstIndex(where: { $0.number == number }) else { return }
        if index == removals.indices.last, actions.isAttended() {
            removals[index].timer = timer(number, Removals.shortPatience)
        } else {
            finish(number)
        }
    }

    private func finish(_ number: Int) {
        guard let index = removals.firstIndex(where: { $0.number == number }) else { return }
        let removal = removals.remove(at: index)
        removal.timer.cancel()
        leaving.formUnion(removal.passes.map(\.id))
        actions.changed()
        let (session, passes, moment) = (session, removal.passes, removal.moment)
        application.hold()
        // Holds `self` strongly: errors are reported even after the window closed.
        inBackground {
            Result { try session.remove(passes, asOf: moment) }
        } then: { [self] result in
            switch result {
            // The list is updated through the library's changes.
            case .success(let staying): stay(staying)
            case .failure(let error):
                stay(passes)
                actions.failed(error.phrase.localized.escaped)
            }
            application.release()
        }
    }

    private func stay(_ passes: [StoredPass]) {
        guard !passes.isEmpty else { return }
        leaving.subtract(passes.map(\.id))
        actions.changed()
    }
}
