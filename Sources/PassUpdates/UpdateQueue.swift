import PassStore

/// The passes to request, by host: one page at a time for each, and for as many hosts as are
/// contacted simultaneously.
struct UpdateQueue {
    private struct Lane {
        let host: String
        var rows: ArraySlice<PassUpdate> = []
        var last: PassUpdate?
        var isWhole = false
    }

    /// The hosts not contacted yet.
    private var hosts: ArraySlice<String>
    private var lanes: [Lane] = []
    private let page: (_ host: String, _ last: PassUpdate?) throws -> [PassUpdate]

    init(
        _ hosts: [String],
        page: @escaping (_ host: String, _ last: PassUpdate?) throws -> [PassUpdate]
    ) {
        self.hosts = hosts[...]
        self.page = page
    }

    /// A queue of the given passes.
    init(_ updates: [PassUpdate]) {
        var hosts: [String] = []
        var updatesByHost: [String: [PassUpdate]] = [:]
        for update in updates {
            let host = update.service.host
            if updatesByHost[host] == nil { hosts.append(host) }
            updatesByHost[host, default: []].append(update)
        }
        self.init(hosts) { [updatesByHost] host, last in
            last == nil ? updatesByHost[host] ?? [] : []
        }
    }

    var isEmpty: Bool { hosts.isEmpty && lanes.isEmpty }

    /// The next pass of a host with room; nil if there is none.
    mutating func next(_ hasRoom: (String) -> Bool) throws -> PassUpdate? {
        while true {
            for index in lanes.indices where hasRoom(lanes[index].host) {
                if let update = try take(index) { return update }
            }
            lanes.removeAll { $0.isWhole && $0.rows.isEmpty }
            guard let host = hosts.popFirst() else { return nil }
            lanes.append(Lane(host: host))
        }
    }

    /// Removes a host; returns its next passes, as far as they are loaded.
    mutating func leave(_ host: String) -> [PassUpdate] {
        let rest = lanes.filter { $0.host == host }.flatMap(\.rows)
        lanes.removeAll { $0.host == host }
        hosts.removeAll { $0 == host }
        return rest
    }

    private mutating func take(_ index: Int) throws -> PassUpdate? {
        if lanes[index].rows.isEmpty, !lanes[index].isWhole {
            let rows = try page(lanes[index].host, lanes[index].last)
            lanes[index].rows = rows[...]
            lanes[index].last = rows.last
            lanes[index].isWhole = rows.isEmpty
        }
        return lanes[index].rows.popFirst()
    }
}
