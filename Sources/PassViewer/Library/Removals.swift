internal import Foundation
internal import Localization
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

    private let session: WindowSession
    private let application: Application
    private let bars: BarStack
    private let changed: @MainActor () -> Void
    private let undoPressed: @MainActor @Sendable () -> Void
    private var removals: [Removal] = []
    /// Passes that are being deleted from the library.
    private var leaving: Set<StoredPass.ID> = []
    private var count = 0

    /// In milliseconds. Long enough to hear the message and to reach its button by keyboard.
    static let patience: UInt32 = 20_000
    /// In milliseconds; the delay after each postponement.
    static let shortPatience: UInt32 = 3000

    /// - Parameters:
    ///   - changed: Called when ``hidden`` changes.
    ///   - undo: The action of the undo button.
    init(
        _ session: WindowSession, _ application: Application, _ bars: BarStack,
        changed: @escaping @MainActor () -> Void, undo: @escaping @MainActor @Sendable () -> Void
    ) {
        self.session = session
        self.application = application
        self.bars = bars
        self.changed = changed
        undoPressed = undo
    }

    var hidden: Set<StoredPass.ID> { leaving.union(removals.flatMap(\.passes).map(\.id)) }

    func remove(_ passes: [StoredPass]) {
        let hidden = hidden
        let passes = passes.filter { !hidden.contains($0.id) }
        guard !passes.isEmpty else { return }
        count += 1
        removals.append(
            Removal(number: count, passes: passes, timer: timer(count, Removals.patience)))
        update()
    }

    /// - Returns: The passes that are no longer removed.
    func undo() -> [StoredPass] {
        let removal = removals.popLast()
        removal?.timer.cancel()
        update()
        return removal?.passes ?? []
    }

    /// Cancels pending removals of passes that changed, since the user did not remove the newer
    /// version, and reports them.
    func check(_ snapshot: LibrarySnapshot) {
        leaving.formIntersection(snapshot.passes.keys)
        guard snapshot.isWhole else { return }
        for index in removals.indices {
            removals[index].passes.removeAll { pass in
                let now = snapshot.passes[pass.id]
                guard now?.current.id != pass.current.id else { return false }
                if let now { tellNewer(now) }
                return true
            }
        }
        for removal in removals where removal.passes.isEmpty { removal.timer.cancel() }
        removals.removeAll(where: \.passes.isEmpty)
        offerUndo()
    }

    private func tellNewer(_ pass: StoredPass) {
        let name = pass.current.headline.shortenedName.escaped
        bars.show(
            localized("A newer version arrived and was kept: {name}", ["name": name]), for: "news")
    }

    private func update() {
        changed()
        offerUndo()
    }

    private func offerUndo() {
        guard let passes = removals.last?.passes, let first = passes.first else {
            return bars.hide("undo")
        }
        let name = first.current.headline.shortenedName.escaped
        let text =
            passes.count == 1
            ? localized("Removed: {name}", ["name": name])
            : localized("Removed: {count} passes", ["count": "\(passes.count)"])
        bars.show(text, for: "undo", button: localized("_Undo"), action: undoPressed)
    }

    func finishAll() { for removal in removals { finish(removal.number) } }

    private func timer(_ number: Int, _ patience: UInt32) -> Timer {
        Timer(milliseconds: patience) { [weak self] in self?.due(number) }
    }

    private func due(_ number: Int) {
        guard let index = removals.firstIndex(where: { $0.number == number }) else { return }
        if index == removals.indices.last, bars.isAttended("undo") {
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
        update()
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
                let title = localized("Passes could not be removed")
                application.report(error.phrase.localized.escaped, titled: title, in: bars)
            }
            application.release()
        }
    }

    private func stay(_ passes: [StoredPass]) {
        guard !passes.isEmpty else { return }
        leaving.subtract(passes.map(\.id))
        update()
    }
}
