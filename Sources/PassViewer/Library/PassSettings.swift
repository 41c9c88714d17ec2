internal import Foundation
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassStore

/// Changes the settings of passes, and updates passes when the user asks for it.
@MainActor
final class PassSettings {
    private struct Change: Hashable {
        let pass: PassIdentity
        let setting: PassSetting
    }

    private let session: WindowSession
    private let application: Application
    private let bars: BarStack
    private let changed: @MainActor () -> Void
    /// The values that are being stored.
    private var wanted: [Change: Bool] = [:]
    private var updating: Set<PassIdentity> = []

    /// - Parameter changed: Called when the state of a pass changes for a reason other than the
    ///   user's input.
    init(
        _ session: WindowSession, _ application: Application, _ bars: BarStack,
        changed: @escaping @MainActor () -> Void
    ) {
        self.session = session
        self.application = application
        self.bars = bars
        self.changed = changed
    }

    func state(of pass: StoredPass, in snapshot: LibrarySnapshot) -> SettingsPanel.State {
        let stored = snapshot.pass(pass.identity) ?? pass
        func value(_ setting: PassSetting, _ known: Bool) -> Bool {
            wanted[Change(pass: pass.identity, setting: setting)] ?? known
        }
        return SettingsPanel.State(
            updatesAutomatically: value(.updatesAutomatically, stored.updatesAutomatically),
            showsNotifications: value(.showsNotifications, stored.showsNotifications),
            isOffForAll: !snapshot.updatesAutomatically,
            isUpdating: updating.contains(pass.identity))
    }

    /// Stores a setting in the background, one value after another.
    func set(_ setting: PassSetting, to isOn: Bool, of pass: StoredPass) {
        let change = Change(pass: pass.identity, setting: setting)
        let isStoring = wanted.updateValue(isOn, forKey: change) != nil
        if !isStoring { store(change, isOn) }
    }

    private func store(_ change: Change, _ isOn: Bool) {
        application.hold()
        let session = session
        // Holds `self` strongly: the setting is stored even after the window closed.
        inBackground {
            Result { try session.set(change.setting, to: isOn, of: change.pass) }
        } then: { [self] result in
            if let next = wanted[change], next != isOn {
                store(change, next)
            } else {
                wanted[change] = nil
            }
            if case .failure(let error) = result {
                let title = localized("The setting could not be stored")
                application.report(error.phrase.localized.escaped, titled: title, in: bars)
                changed()
            }
            application.release()
        }
    }

    /// Asks the issuer for a newer version of a pass, in another process. The program does not exit
    /// before that process ends.
    func update(_ pass: StoredPass) {
        guard updating.insert(pass.identity).inserted else { return }
        changed()
        bars.hide("update")
        application.hold()
        let session = session
        inBackground {
            Result { try session.update(pass) }
        } then: { [self] result in
            updating.remove(pass.identity)
            changed()
            let name = pass.current.headline.shortenedName.escaped
            switch result {
            case .success(.updated(let changes)):
                let title = localized("Updated: {name}", ["name": name])
                bars.show(([title] + changes).joined(separator: "\n"), for: "update")
            case .success(.unchanged):
                bars.show(
                    localized("There is no newer version of {name}.", ["name": name]),
                    for: "update")
            case .success(.failed(let problem)): report(problem)
            case .failure(let error): report(error.phrase.localized.escaped)
            }
            application.release()
        }
    }

    /// - Parameter problem: Escaped lines.
    private func report(_ problem: String) {
        if bars.isClosed {
            application.report(problem, titled: localized("The pass could not be updated"))
        } else {
            bars.show(problem: problem, for: "update")
        }
    }
}
