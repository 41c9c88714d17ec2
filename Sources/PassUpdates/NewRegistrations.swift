import PassModel
import PassStore

/// The passes that a run registers for the first time.
///
/// Each pass is requested after its registration, so that no change in between is lost. The
/// registration is recorded last: the run after an interrupted one registers the pass again.
struct NewRegistrations {
    private enum State {
        /// The service has not responded to the registration yet.
        case registering
        /// The pass is to be requested.
        case registered(RegistrationNote)
        /// The pass was requested. `isOutdated` if a list has named it since.
        case requested(RegistrationNote, isOutdated: Bool)
    }

    private var states: [PassIdentity: State] = [:]

    var isEmpty: Bool { states.isEmpty }

    mutating func noteRegistering(_ pass: PassIdentity) { states[pass] = .registering }

    mutating func noteRegistered(_ pass: PassIdentity, _ note: RegistrationNote) {
        states[pass] = .registered(note)
    }

    mutating func noteNotRegistered(_ pass: PassIdentity) { states[pass] = nil }

    mutating func noteRequested(_ pass: PassIdentity) {
        guard case .registered(let note)? = states[pass] else { return }
        states[pass] = .requested(note, isOutdated: false)
    }

    /// Whether a pass that a list names will be requested anyway, because it is being registered.
    mutating func covers(_ pass: PassIdentity) -> Bool {
        switch states[pass] {
        case nil: return false
        case .registering, .registered: return true
        case .requested(let note, _):
            states[pass] = .requested(note, isOutdated: true)
            return true
        }
    }

    /// The registration to record after the response to the request for the pass; nil if the pass is
    /// not new, or is to be requested again since a list has named it meanwhile.
    mutating func finish(_ pass: PassIdentity) -> RegistrationNote? {
        guard case .requested(let note, let isOutdated)? = states[pass] else { return nil }
        states[pass] = isOutdated ? .registered(note) : nil
        return isOutdated ? nil : note
    }

    /// Whether the pass is to be requested.
    func isToBeRequested(_ pass: PassIdentity) -> Bool {
        if case .registered? = states[pass] { true } else { false }
    }
}
