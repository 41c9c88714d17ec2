import PassModel
package import PassStore

/// A service whose events are followed, with the types of the passes registered there.
package struct FollowedService: Sendable, Equatable {
    let service: EventService
    let passTypeIdentifiers: [String]

    /// The lowest tag of its lists: later events are needed. Nil if all events are needed.
    var tag: String? {
        let tags = passTypeIdentifiers.map { service.tags[ExactText($0)] }
        if Set(tags).count == 1 { return tags[0] }
        let numbers = tags.map { tag in tag.flatMap { Int64($0) } }
        let lowest = numbers.compactMap(\.self).min()
        return numbers.contains(nil) ? nil : lowest.map { "\($0)" }
    }
}

extension PassLibrary {
    /// The services to follow: one for each host.
    package func followedServices() throws(LibraryError) -> [FollowedService] {
        guard try updatesAutomatically() else { return [] }
        var hosts: Set<String> = []
        var followed: [FollowedService] = []
        for service in try eventServices() where service.isConsistent {
            let types = try registeredTypes(at: service)
            guard !types.isEmpty, hosts.insert(service.host).inserted else { continue }
            followed.append(FollowedService(service: service, passTypeIdentifiers: types))
        }
        return followed
    }
}
