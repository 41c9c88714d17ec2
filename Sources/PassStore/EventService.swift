package import Foundation
package import PassModel

/// A web service that announces its event stream (passconduit-events(7)).
package struct EventService: Sendable, Hashable {
    package let id: Int64
    /// The `webServiceURL` of its passes, without slashes at the end of its path.
    package let url: String
    package let host: String
    /// The identifier of this library at the host. It must be sent to no other host.
    package let device: String
    /// The tag of the last list of each pass type.
    package let tags: [ExactText: String]
}

/// The registration of a pass at its web service.
package struct PassRegistration: Sendable, Hashable {
    package enum State: String, Sendable {
        case registered
        /// The service does not accept the registration.
        case refused
        /// To be ended: the pass was removed or is no longer updated.
        case leaving
    }

    package let service: Int64
    /// The authentication token of the registration.
    package let token: String
    package let state: State
    /// When to register again.
    package let dueAt: Date
}

/// A registration to be ended.
package struct LeavingRegistration: Sendable, Hashable {
    /// The request URL of the pass.
    package let url: String
    package let identity: PassIdentity
    package let token: String
    package let attempts: Int
    package let service: EventService
}

/// A change of registrations or tags to be recorded.
package enum RegistrationNote: Sendable {
    /// The service accepted or refused a registration.
    case made(PassUpdate, service: Int64, PassRegistration.State, dueAt: Date)
    /// A registration has ended.
    case ended(LeavingRegistration)
    /// A registration could not be ended yet.
    case notEnded(LeavingRegistration, dueAt: Date)
    /// All changes up to this tag are in the library.
    case listed(service: Int64, passTypeIdentifier: String, tag: String)
}
