internal import Foundation
internal import PassCommands
internal import PassModel
internal import PassStore
internal import PassVerification

/// Passes that were removed a moment ago: they are hidden at once, and in the library until nobody can
/// undo it any more. Whatever happens to the program before, none is lost.
@MainActor
final class Removals {
    private struct Removal {
        let pass: StoredPass
        let timer: Timer
        /// When it was wanted.
        let moment = Date.now
    }

    private let session: WindowSession
    private let application: Application
    private let changed: @MainActor @Sendable () -> Void
    private let failed: @MainActor @Sendable (String) -> Void
    private var removals: [Removal] = []
    /// Those that are being removed just now.
    private var leaving: Set<StoredPass.ID> = []

    static let patience: UInt32 = 8000

    init(
        _ session: WindowSession, _ application: Application,
        changed: @escaping @MainActor @Sendable () -> Void,
        failed: @escaping @MainActor @Sendable (String) -> Void
    ) {
        self.session = session
        self.application = application
        self.changed = changed
        self.failed = failed
    }

    var hidden: Set<StoredPass.ID> { leaving.union(removals.map(\.pass.id)) }

    /// The one that can be undone first.
    var last: StoredPass? { removals.last?.pass }

    func remove(_ pass: StoredPass) {
        guard !hidden.contains(pass.id) else { return }
        let timer = Timer(milliseconds: Removals.patience) { [weak self] in self?.finish(pass.id) }
        removals.append(Removal(pass: pass, timer: timer))
        changed()
    }

    func undo() -> StoredPass? {
        guard let removal = removals.popLast() else { return nil }
        removal.timer.cancel()
        changed()
        return removal.pass
    }

    /// What became of the passes meanwhile: one of which a newer version came is no longer the one that
    /// somebody wanted to remove.
    func check(_ shelf: Shelf) {
        for removal in removals {
            let now = shelf.passes[removal.pass.id]
            guard shelf.isWhole, now?.current.sha256 != removal.pass.current.sha256 else {
                continue
            }
            removal.timer.cancel()
            removals.removeAll { $0.pass.id == removal.pass.id }
        }
        leaving.formIntersection(shelf.passes.keys)
    }

    func finishAll() { for removal in removals { finish(removal.pass.id) } }

    private func finish(_ id: StoredPass.ID) {
        guard let index = removals.firstIndex(where: { $0.pass.id == id }) else { return }
        let removal = removals.remove(at: index)
        removal.timer.cancel()
        leaving.insert(id)
        let session = session
        let (pass, moment) = (removal.pass, removal.moment)
        application.hold()
        inBackground {
            Result { try session.remove([pass], asOf: moment) }
        } then: { [weak self, application] result in
            switch result {
            // The list hears of it as of every change.
            case .success(let staying): if !staying.isEmpty { self?.stays(id) }
            case .failure(let error):
                self?.stays(id)
                self?.failed("\(error)".escaped)
            }
            application.release()
        }
    }

    private func stays(_ id: StoredPass.ID) {
        leaving.remove(id)
        changed()
    }
}
