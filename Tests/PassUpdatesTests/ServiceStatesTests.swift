import Foundation
import PassModel
import Testing

@testable import PassStore
@testable import PassUpdates

@Suite("A pass is registered once, and then requested only if a list names it")
struct ServiceStatesTests {
    private static let type = "pass.com.example"
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let version: StoredVersion
    private let service = EventService(
        id: 7, url: "https://example.com/a", host: "example.com", device: "d",
        tags: [ExactText(type): "5"])

    init() throws {
        version = try Stored.version([
            "passTypeIdentifier": "pass.com.example", "serialNumber": "1",
        ])
    }

    private func update(
        _ serial: String = "1", at base: String = "https://example.com/a", failures: Int = 0,
        isNew: Bool = false, isAutomatic: Bool = true, with registration: PassRegistration? = nil
    ) -> PassUpdate {
        let identity = PassIdentity(passTypeIdentifier: Self.type, serialNumber: serial)
        return PassUpdate(
            stored: StoredPass(
                id: 1, identity: identity, current: version, updatesAutomatically: isAutomatic,
                showsNotifications: true),
            service: WebService(
                url: "\(base)/v1/passes/\(Self.type)/\(serial)", token: "t", host: "example.com"),
            lastModified: nil, askedAt: isNew ? Date(timeIntervalSince1970: 0) : now,
            failures: failures, registration: registration)
    }

    private func registration(
        _ state: PassRegistration.State = .registered, service: Int64 = 7, token: String = "t",
        due: Double = 1
    ) -> PassRegistration {
        PassRegistration(
            service: service, token: token, state: state, dueAt: now.addingTimeInterval(due))
    }

    private enum Step: Equatable { case request, register, list, wait, listed, unchanged }

    private func step(_ update: PassUpdate, _ states: ServiceStates? = nil) -> Step {
        switch (states ?? ServiceStates([service], usesLists: true)).step(for: update, at: now) {
        case .request: .request
        case .register: .register
        case .list: .list
        case .wait: .wait
        case .listed: .listed
        case .unchanged: .unchanged
        }
    }

    @Test("a pass without a valid registration is registered, if its service announces events")
    func registrations() {
        #expect(step(update()) == .register)
        #expect(step(update(with: registration())) == .list)
        for other in [
            registration(service: 8), registration(token: "u"), registration(due: 0),
            registration(.refused, due: 0), registration(.refused, token: "u"),
            registration(.leaving),
        ] {
            #expect(step(update(with: other)) == .register)
        }
        #expect(step(update(with: registration(.refused))) == .request)
        for base in ["https://example.com", "https://example.com/a/b", "https://example.org/a"] {
            #expect(step(update(at: base)) == .request)
        }
        #expect(step(update(isAutomatic: false, with: registration())) == .request)
    }

    @Test("lists do not replace requests after a failure, for a new version, or if the user asks")
    func requests() {
        #expect(step(update(failures: 1, with: registration())) == .request)
        #expect(step(update(isNew: true, with: registration())) == .request)
        let named = ServiceStates([service], usesLists: false)
        #expect(step(update(with: registration()), named) == .request)
    }

    @Test("one list is requested per service and type, from its tag, and answers for all passes")
    func lists() {
        var states = ServiceStates([service], usesLists: true)
        let list = states.list(ListKey(service, Self.type))
        #expect(list.tag == "5")
        states.note(requested: list.key)
        #expect(step(update(with: registration()), states) == .wait)
        let passes = ListedPasses(serialNumbers: ["2", "x"], tag: "6")
        var namesMore = states.take(passes, of: list)
        #expect(namesMore)
        #expect(step(update("1", with: registration()), states) == .unchanged)
        #expect(step(update("2", with: registration()), states) == .listed)
        #expect(states.list(list.key).tag == "6")
        // Another part of the list, without a tag, and one that repeats the first.
        let more = ListedPasses(serialNumbers: ["3"], tag: nil)
        namesMore = states.take(more, of: states.list(list.key))
        #expect(namesMore)
        namesMore = states.take(passes, of: states.list(list.key))
        #expect(!namesMore)
        for serial in ["2", "3"] {
            #expect(step(update(serial, with: registration()), states) == .listed)
        }
        #expect(states.list(list.key).tag == "6")
        // A list does not replace the request for a pass that is not registered.
        #expect(step(update("2"), states) == .register)
        #expect(step(update("2", with: registration(.refused)), states) == .request)
    }

    @Test("after an unusable list, passes are requested")
    func unusable() {
        var states = ServiceStates([service], usesLists: true)
        let key = ListKey(service, Self.type)
        states.note(requested: key)
        states.note(unusable: key)
        #expect(step(update(with: registration()), states) == .request)
    }

    @Test("a service is asked once in a run to register a pass, whatever it answers")
    func once() {
        var states = ServiceStates([], usesLists: true)
        #expect(step(update(), states) == .request)
        states.add(service)
        #expect(step(update(), states) == .register)
        #expect(!states.wasRegistrationRequested(update().stored.identity))
        states.note(registering: update())
        #expect(states.wasRegistrationRequested(update().stored.identity))
        states.remove(service)
        #expect(step(update(), states) == .request)
    }

    @Test("a list without a tag is requested for the tag")
    func tags() {
        let new = EventService(
            id: 7, url: service.url, host: service.host, device: "d", tags: [:])
        var states = ServiceStates([new], usesLists: true)
        let key = ListKey(new, Self.type)
        #expect(states.needsTag(key))
        #expect(states.list(key).tag == nil)
        let none = ListedPasses(serialNumbers: [], tag: "1")
        let namesMore = states.take(none, of: states.list(key))
        #expect(!namesMore)
        #expect(!states.needsTag(key))
    }
}
