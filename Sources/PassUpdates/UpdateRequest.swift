import Bytes
import Fetching
import PassModel
package import PassStore

/// A request of a run.
enum UpdateRequest {
    /// The newest version of a pass. `list` is the list that names the pass.
    case pass(PassUpdate, list: PassList?)
    case list(PassList)
    case register(PassUpdate, EventService)
    case unregister(LeavingRegistration)
    /// Messages for the log of a service.
    case log([String], service: String, host: String)

    var host: String {
        switch self {
        case .pass(let update, _), .register(let update, _): update.service.host
        case .list(let list): list.service.host
        case .unregister(let leaving): leaving.service.host
        case .log(_, _, let host): host
        }
    }
}

/// The list of changed passes of a type at a service.
package struct ListKey: Hashable, Sendable {
    package let service: EventService
    package let passTypeIdentifier: String

    package init(_ service: EventService, _ passTypeIdentifier: String) {
        self.service = service
        self.passTypeIdentifier = passTypeIdentifier
    }

    /// Compares services by ID, since their tags change.
    package static func == (one: ListKey, other: ListKey) -> Bool {
        one.service.isSame(as: other.service)
            && one.passTypeIdentifier.isExactly(other.passTypeIdentifier)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(service.id)
        passTypeIdentifier.hashBytes(into: &hasher)
    }
}

/// A list as requested.
struct PassList: Equatable {
    let key: ListKey
    /// The tag of the previous list; nil for all registered passes.
    let tag: String?

    var service: EventService { key.service }
}

/// The response to a request.
enum UpdateResponse {
    case body(ArrivedBody)
    case notModified(PassUpdate, PassList?, announcesEvents: Bool)
    case failed(PassUpdate, PassList?, FetchFailure)
    case listed(PassList, ListedPasses)
    /// The list cannot be used; the failure is nil if it is invalid.
    case unlisted(PassList, FetchFailure?)
    /// `isNew` if the service did not know the registration.
    case registered(PassUpdate, EventService, isNew: Bool)
    case notRegistered(PassUpdate, EventService, FetchFailure)
    case unregistered(LeavingRegistration)
    case notUnregistered(LeavingRegistration, FetchFailure)
    case logged(service: String, host: String, FetchFailure?)

    var host: String {
        switch self {
        case .body(let body): body.update.service.host
        case .notModified(let update, _, _), .failed(let update, _, _): update.service.host
        case .listed(let list, _), .unlisted(let list, _): list.service.host
        case .registered(_, let service, _), .notRegistered(_, let service, _): service.host
        case .unregistered(let leaving), .notUnregistered(let leaving, _): leaving.service.host
        case .logged(_, let host, _): host
        }
    }

    var answer: UpdateAnswer {
        switch self {
        case .body, .listed, .registered, .unregistered, .logged(_, _, nil): .pass
        case .notModified: .unchanged
        case .failed(_, _, let failure), .notRegistered(_, _, let failure),
            .notUnregistered(_, let failure), .logged(_, _, let failure?):
            UpdateAnswer(failure)
        case .unlisted(_, let failure): failure.map { UpdateAnswer($0) } ?? .wrong
        }
    }
}
