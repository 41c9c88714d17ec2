internal import Foundation
internal import PassCommands
internal import PassPresentation
internal import PassStore

/// Passes that were removed a moment ago: they are hidden at once, and in the library until nobody can
/// undo it any more. Whatever happens to the program before, none is lost.
@MainActor
final class Removals {
    /// What was removed at once, and is undone at once.
    private struct Removal {
        let number: Int
        var passes: [StoredPass]
        /// When it was wanted.
        let moment = Date.now
        var timer: Timer
    }

    /// What is told, and asked.
    struct Actions {
        /// Others are hidden than before.
        let changed: @MainActor @Sendable () -> Void
        let failed: @MainActor @Sendable (String) -> Void
        /// Whether somebody is about to undo it: then it waits.
        let isAttended: @MainActor @Sendable () -> Bool
    }

    private let session: WindowSession
    private let application: Application
    private let actions: Actions
    private var removals: [Removal] = []
    /// Those that are being removed just now.
    private var leaving: Set<StoredPass.ID> = []
    private var count = 0

    /// In milliseconds: long enough to hear what can be undone, and to reach it by the keyboard.
    static let patience: UInt32 = 20_000
    /// The same, once nobody is at it any more.
    static let shortPatience: UInt32 = 3000

    init(_ session: WindowSession, _ application: Application, _ actions: Actions) {
        self.session = session
        self.application = application
        self.actions = actions
    }

    var hidden: Set<StoredPass.ID> { leaving.union(removals.flatMap(\.passes).map(\.id)) }

    /// Those that can be undone first.
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

    /// What became of the passes meanwhile: one of which a newer version came is no longer the one that
    /// somebody wanted to remove.
    ///
    /// - Returns: Of which a newer version came.
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
        // Somebody has to hear of it, if the window is gone too.
        inBackground {
            Result { try session.remove(passes, asOf: moment) }
        } then: { [self] result in
            switch result {
            // The list hears of it as of every change.
            case .success(let staying): stay(staying)
            case .failure(let error):
                stay(passes)
                actions.failed(translated("\(error)").escaped)
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
