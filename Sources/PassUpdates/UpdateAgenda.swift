import Fetching
import PassStore

/// The requests that a run has yet to send.
struct UpdateAgenda {
    private let terms: FetchTerms
    private var queue: UpdateQueue
    /// Messages for the logs of services.
    private var logs: [UpdateRequest] = []
    /// The hosts to which no more requests are sent.
    private var left: Set<String> = []
    /// Passes not requested, because their web service is http only.
    private(set) var insecure = 0

    init(_ queue: UpdateQueue, _ options: UpdateOptions) {
        self.queue = queue
        terms = options.terms
    }

    mutating func add(_ request: UpdateRequest) { logs.append(request) }

    /// The next request to a host with room; nil if there is none now.
    mutating func next(_ hasRoom: (String) -> Bool) throws -> UpdateRequest? {
        logs.removeAll { left.contains($0.host) }
        if let index = logs.firstIndex(where: { hasRoom($0.host) }) {
            return logs.remove(at: index)
        }
        while let update = try queue.next({ hasRoom($0) && !left.contains($0) }) {
            if update.service.isSecure || terms.allowsHTTP { return .pass(update) }
            insecure += 1
        }
        return nil
    }

    /// Removes a host; returns the passes not requested yet, as far as they are loaded.
    mutating func leave(_ host: String) -> [PassUpdate] {
        left.insert(host)
        return queue.leave(host)
    }
}
