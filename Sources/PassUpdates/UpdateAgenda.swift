import Fetching
import Foundation
import PassModel
import PassStore

/// The requests that a run has yet to send.
struct UpdateAgenda {
    /// The number of passes not named by lists that are collected before they are recorded.
    private static let heldUnchanged = 200
    /// The maximum number of parts of a list.
    private static let mostParts = 20

    private let library: PassLibrary
    private let terms: FetchTerms
    private let schedule: UpdateSchedule
    private let now = Date()
    private var queue: UpdateQueue
    private(set) var states: ServiceStates
    /// The requests before those of the queue, by host.
    private var first: [String: ArraySlice<UpdateRequest>] = [:]
    private var lists: [ListedQueue] = []
    /// The lists in progress: requested, or with passes to be requested.
    private var open: Set<ListKey> = []
    /// The open lists that have not arrived yet.
    private var awaited: Set<ListKey> = []
    /// The open lists to request again, since there was another change in the meantime.
    private var outdated: Set<ListKey> = []
    private var parts: [ListKey: Int] = [:]
    /// The lists that failed, or are incomplete.
    private(set) var failed: Set<ListKey> = []
    /// The passes that wait for a list, by host.
    private var waiting: [String: [PassUpdate]] = [:]
    /// The hosts to which no more requests are sent.
    private var left: Set<String> = []
    private var unchanged: [PassUpdate] = []
    private var new = NewRegistrations()
    /// The newly registered passes to request after a list has arrived: their responses then
    /// include the changes before the list.
    private var registered: [ListKey: [PassUpdate]] = [:]
    /// Whether notes must be recorded before the next request.
    private(set) var needsRecording = false
    private var notes: [RegistrationNote] = []
    private var faults: [(service: EventService, fault: ServiceFault)] = []
    /// Passes not requested, because their web service is http only.
    private(set) var insecure = 0

    init(
        _ queue: UpdateQueue, _ states: ServiceStates, in library: PassLibrary,
        _ options: UpdateOptions
    ) {
        self.queue = queue
        self.states = states
        self.library = library
        terms = options.terms
        schedule = options.schedule
    }

    /// Sets the passes to request after those of the previous queue.
    mutating func add(_ queue: UpdateQueue) {
        self.queue = queue
        for host in left { _ = self.queue.leave(host) }
    }

    mutating func add(_ request: UpdateRequest) {
        // A response may arrive after its host was left.
        guard !left.contains(request.host) else { return }
        first[request.host, default: []].append(request)
    }

    /// Requests a list as soon as possible.
    mutating func add(_ key: ListKey) {
        guard !left.contains(key.service.host) else {
            failed.insert(key)
            return
        }
        guard open.insert(key).inserted else {
            if !isUnsent(key) { outdated.insert(key) }
            return
        }
        failed.remove(key)
        awaited.insert(key)
        states.note(requested: key)
        add(.list(states.list(key)))
    }

    /// The next request; nil if there is none now.
    mutating func next(_ hasRoom: (String) -> Bool) throws -> UpdateRequest? {
        while true {
            for host in first.keys where hasRoom(host) {
                if let request = first[host]?.popFirst() {
                    if case .pass(let update, _) = request {
                        new.noteRequested(update.stored.identity)
                    }
                    return request
                }
                first[host] = nil
            }
            for index in lists.indices where hasRoom(lists[index].list.service.host) {
                if let update = try lists[index].next(in: library) {
                    return .pass(update, list: lists[index].list)
                }
            }
            if finishLists() { continue }
            guard unchanged.count < UpdateAgenda.heldUnchanged,
                let update = try queue.next({
                    hasRoom($0) && waiting[$0] == nil && !left.contains($0)
                })
            else { return nil }
            guard update.service.isSecure || terms.allowsHTTP else {
                insecure += 1
                continue
            }
            if let request = request(for: update) { return request }
        }
    }

    /// The passes that lists do not name.
    mutating func takeUnchanged() -> [PassUpdate] {
        defer { unchanged = [] }
        return unchanged
    }

    /// The registrations and tags to record after the responses so far.
    mutating func takeNotes() -> [RegistrationNote] {
        defer {
            notes = []
            needsRecording = false
        }
        return notes
    }

    mutating func takeFaults() -> [(service: EventService, fault: ServiceFault)] {
        defer { faults = [] }
        return faults
    }

    /// Removes a host; returns the passes not requested yet, as far as they are loaded.
    mutating func leave(_ host: String) -> [PassUpdate] {
        left.insert(host)
        let rest = first.removeValue(forKey: host) ?? []
        let keys = open.filter { $0.service.host == host }
        failed.formUnion(keys)
        open.subtract(keys)
        awaited.subtract(keys)
        outdated.subtract(keys)
        lists.removeAll { $0.list.service.host == host }
        var updates = keys.flatMap { registered.removeValue(forKey: $0) ?? [] }
        updates += rest.compactMap { request in
            switch request {
            case .pass(let update, _), .register(let update, _): update
            case .list, .unregister, .log: nil
            }
        }
        return updates + (waiting.removeValue(forKey: host) ?? []) + queue.leave(host)
    }

    mutating func take(_ response: UpdateResponse) throws {
        switch response {
        case .body(let body): finish(body.update, body.list)
        case .notModified(let update, let list, _), .failed(let update, let list, _):
            finish(update, list)
        case .listed(let list, let passes):
            guard open.contains(list.key) else { break }
            awaited.remove(list.key)
            let namesMore = states.take(passes, of: list)
            lists.append(
                ListedQueue(
                    passes, toRequest(passes, list.key), of: list, mayHaveMore: namesMore))
            // The passes of new registrations are looked up in the library.
            needsRecording = true
            stopWaiting(list.key)
        case .unlisted(let list, let failure):
            states.note(unusable: list.key)
            open.remove(list.key)
            awaited.remove(list.key)
            outdated.remove(list.key)
            failed.insert(list.key)
            if failure == nil {
                let type = list.key.passTypeIdentifier
                faults.append((list.service, .invalidList(passTypeIdentifier: type)))
            }
            stopWaiting(list.key)
        case .registered(let update, let service, let isNew):
            let note = RegistrationNote.made(
                update, service: service.id, .registered,
                dueAt: schedule.confirmation(after: now))
            if isNew {
                if update.registration?.state == .registered {
                    // The service has lost it. An interrupted run registers again.
                    notes.append(
                        .made(update, service: service.id, .refused, dueAt: .distantPast))
                }
                new.noteRegistered(update.stored.identity, note)
                let key = ListKey(service, update.stored.identity.passTypeIdentifier)
                if states.needsTag(key), !open.contains(key) { add(key) }
                if awaited.contains(key) {
                    registered[key, default: []].append(update)
                } else {
                    add(.pass(update, list: nil))
                }
            } else {
                new.noteNotRegistered(update.stored.identity)
                notes.append(note)
                states.note(confirmed: update)
                if let request = request(for: update) { add(request) }
            }
        case .notRegistered(let update, let service, let failure):
            new.noteNotRegistered(update.stored.identity)
            // If the host does not respond, a later run registers the pass.
            switch UpdateAnswer(failure) {
            case .busy, .notAsked: break
            case .silent, .wrong:
                // Each further attempt may take as long.
                states.stopRegistering(at: service)
                let time = schedule.registration(afterErrorAt: now)
                notes.append(.made(update, service: service.id, .refused, dueAt: time))
            case .pass, .unchanged, .refused, .missing:
                let time = schedule.confirmation(after: now)
                notes.append(.made(update, service: service.id, .refused, dueAt: time))
            }
            add(.pass(update, list: nil))
        case .unregistered(let leaving): notes.append(.ended(leaving))
        case .notUnregistered(let leaving, _):
            let time = schedule.endOfRegistration(after: leaving.attempts, at: now)
            notes.append(time.map { .notEnded(leaving, dueAt: $0) } ?? .ended(leaving))
        case .logged: break
        }
    }

    /// Whether there are passes to request other than those that lists name.
    var hasDuePasses: Bool { !queue.isEmpty }

    mutating func add(_ service: EventService) { states.add(service) }

    mutating func remove(_ service: EventService) { states.remove(service) }

    /// The request for a pass that is due; nil if none is needed, or not yet.
    private mutating func request(for update: PassUpdate) -> UpdateRequest? {
        switch states.step(for: update, at: now) {
        case .request: return .pass(update, list: nil)
        case .register(let service):
            states.note(registering: update)
            if update.registration?.state != .registered {
                new.noteRegistering(update.stored.identity)
            }
            return .register(update, service)
        case .list(let key):
            waiting[update.service.host, default: []].append(update)
            add(key)
            return nil
        case .wait:
            waiting[update.service.host, default: []].append(update)
            return nil
        case .listed: return nil
        case .unchanged:
            unchanged.append(update)
            return nil
        }
    }

    /// The serial numbers of a list without those of passes that are requested anyway.
    private mutating func toRequest(_ passes: ListedPasses, _ key: ListKey) -> [String] {
        guard !new.isEmpty else { return passes.serialNumbers }
        return passes.serialNumbers.filter { serialNumber in
            !new.covers(
                PassIdentity(
                    passTypeIdentifier: key.passTypeIdentifier, serialNumber: serialNumber))
        }
    }

    private func isUnsent(_ key: ListKey) -> Bool {
        first[key.service.host]?.contains { request in
            if case .list(let list) = request { list.key == key } else { false }
        } ?? false
    }

    private mutating func stopWaiting(_ key: ListKey) {
        for update in registered.removeValue(forKey: key) ?? [] { add(.pass(update, list: nil)) }
        for update in waiting.removeValue(forKey: key.service.host) ?? [] {
            if let request = request(for: update) { add(request) }
        }
    }

    private mutating func finish(_ update: PassUpdate, _ list: PassList?) {
        if let note = new.finish(update.stored.identity) {
            notes.append(note)
        } else if new.isToBeRequested(update.stored.identity) {
            add(.pass(update, list: nil))
        }
        guard let list, let index = lists.firstIndex(where: { $0.list == list }) else { return }
        lists[index].finishOne()
    }

    /// Records the tags of lists whose passes were all requested.
    ///
    /// - Returns: Whether there is another part of a list to request.
    private mutating func finishLists() -> Bool {
        var hasMore = false
        for queue in lists where queue.isDone {
            let list = queue.list
            let type = list.key.passTypeIdentifier
            if queue.unknown > 0 {
                faults.append(
                    (
                        list.service,
                        .unknownSerialNumbers(passTypeIdentifier: type, count: queue.unknown)
                    ))
            }
            open.remove(list.key)
            let isNew = queue.tag != nil && queue.tag != list.tag
            if isNew, let tag = queue.tag {
                notes.append(.listed(service: list.service.id, passTypeIdentifier: type, tag: tag))
            }
            let isOutdated = outdated.remove(list.key) != nil
            guard isOutdated || isNew && queue.isLong else { continue }
            guard parts[list.key, default: 1] < UpdateAgenda.mostParts else {
                failed.insert(list.key)
                continue
            }
            parts[list.key, default: 1] += 1
            add(list.key)
            hasMore = true
        }
        lists.removeAll { $0.isDone }
        return hasMore
    }
}
