import Foundation
import PassModel
import PassStore

/// The web services with an event stream, during a run: whether a pass is registered, and whether a
/// list names it as changed.
struct ServiceStates {
    /// What to do about a pass that is due.
    enum Step {
        case request
        case register(EventService)
        case list(ListKey)
        /// Wait for the list, which has been requested.
        case wait
        /// A list names the pass, so it is requested anyway.
        case listed
        /// A list does not name the pass.
        case unchanged
    }

    private enum State {
        case requested
        case listed(Set<ExactText>)
        /// The list could not be used.
        case unusable
    }

    /// Whether lists replace requests for passes.
    let usesLists: Bool
    private var services: [String: EventService]
    private var states: [ListKey: State] = [:]
    /// The services that failed to respond to a registration.
    private var unresponsive: Set<Int64> = []
    private var tags: [ListKey: String] = [:]
    /// The passes that this run registers for the first time. They are requested in any case.
    private var registered: Set<PassIdentity> = []
    /// The passes registered again in this run.
    private var confirmed: Set<PassIdentity> = []

    init(_ services: [EventService], usesLists: Bool) {
        self.usesLists = usesLists
        self.services = Dictionary(services.map { ($0.url, $0) }) { first, _ in first }
        for service in services {
            for (type, tag) in service.tags {
                tags[ListKey(service, type.text)] = tag
            }
        }
    }

    func service(of update: PassUpdate) -> EventService? {
        update.service.base(of: update.stored.identity).flatMap { services[$0] }
    }

    /// Whether the service was asked in this run to register a pass.
    func wasRegistrationRequested(_ pass: PassIdentity) -> Bool {
        registered.contains(pass) || confirmed.contains(pass)
    }

    mutating func add(_ service: EventService) { services[service.url] = service }

    mutating func remove(_ service: EventService) { services[service.url] = nil }

    func step(for update: PassUpdate, at now: Date) -> Step {
        guard update.stored.updatesAutomatically, let service = service(of: update) else {
            return .request
        }
        let identity = update.stored.identity
        let key = ListKey(service, identity.passTypeIdentifier)
        guard confirmed.contains(identity) || update.isRegistered(at: service, at: now) else {
            let isRefused = update.isRefused(by: service, at: now)
            return isRefused || unresponsive.contains(service.id) ? .request : .register(service)
        }
        if case .listed(let changed)? = states[key],
            changed.contains(ExactText(identity.serialNumber))
        {
            return .listed
        }
        // After a failure, the list may no longer name a pass that has changed.
        guard usesLists, update.failures == 0, update.askedAt.timeIntervalSince1970 > 0 else {
            return .request
        }
        switch states[key] {
        case nil: return .list(key)
        case .listed: return .unchanged
        case .requested: return .wait
        case .unusable: return .request
        }
    }

    mutating func note(confirmed update: PassUpdate) { confirmed.insert(update.stored.identity) }

    /// Called before the response to a registration arrives: a list may name the pass earlier.
    mutating func note(registering update: PassUpdate) {
        guard update.registration?.state != .registered else { return }
        registered.insert(update.stored.identity)
    }

    /// Whether a list is needed for its tag, and was not requested in this run.
    func needsTag(_ key: ListKey) -> Bool {
        usesLists && tags[key] == nil && states[key] == nil
    }

    /// Registers no more passes at a service in this run.
    mutating func stopRegistering(at service: EventService) { unresponsive.insert(service.id) }

    /// The list to request.
    func list(_ key: ListKey) -> PassList { PassList(key: key, tag: tags[key]) }

    mutating func note(requested key: ListKey) {
        if states[key] == nil { states[key] = .requested }
    }

    /// - Returns: Whether the list names passes that earlier lists of this run do not.
    @discardableResult
    mutating func take(_ passes: ListedPasses, of list: PassList) -> Bool {
        // A long list arrives in parts.
        var earlier: Set<ExactText> = []
        if case .listed(let listed)? = states[list.key] { earlier = listed }
        let changed = earlier.union(passes.serialNumbers.map(ExactText.init(_:)))
        states[list.key] = .listed(changed)
        if let tag = passes.tag { tags[list.key] = tag }
        return changed.count > earlier.count
    }

    mutating func note(unusable key: ListKey) { states[key] = .unusable }
}

extension PassUpdate {
    fileprivate func isRegistered(at service: EventService, at now: Date) -> Bool {
        has(.registered, at: service, at: now)
    }

    fileprivate func isRefused(by service: EventService, at now: Date) -> Bool {
        has(.refused, at: service, at: now)
    }

    private func has(
        _ state: PassRegistration.State, at service: EventService, at now: Date
    ) -> Bool {
        guard let registration else { return false }
        return registration.state == state && registration.service == service.id
            && registration.token == self.service.token && registration.dueAt > now
    }
}
