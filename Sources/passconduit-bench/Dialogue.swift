import Fetching
import Foundation

/// Requests for `passconduit-fetch`, sent a few at a time.
struct Dialogue {
    let configuration: FetchConfiguration
    let requests: [FetchRequest]
    /// The number of simultaneous requests.
    let window: Int
}

/// A dialogue with a started program.
final class Talk {
    /// The program's standard input and output.
    let theirs: [CInt]
    private let orders: FileHandle
    private let events: FileHandle
    private let dialogue: Dialogue

    init(_ dialogue: Dialogue) throws {
        self.dialogue = dialogue
        let (orders, events) = (try ends(), try ends())
        theirs = [orders.reading, events.writing]
        self.orders = FileHandle(fileDescriptor: orders.writing, closeOnDealloc: true)
        self.events = FileHandle(fileDescriptor: events.reading, closeOnDealloc: true)
    }

    /// Holds the dialogue once the program has its pipe ends. Always closes the program's input.
    func hold() throws {
        defer { try? orders.close() }
        // Writing must not end this process if the program has ended.
        signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, SIG_DFL) }
        try orders.write(contentsOf: JSONLines.line(dialogue.configuration))
        var waiting = dialogue.requests[...]
        for _ in 0..<dialogue.window { try ask(for: &waiting) }
        var (finished, rest) = (0, Data())
        while finished < dialogue.requests.count {
            let piece = events.availableData
            guard !piece.isEmpty else { throw BenchError.failed("passconduit-fetch ended") }
            rest += piece
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let event = try JSONLines.value(FetchEvent.self, from: Array(rest[..<end]))
                rest = Data(rest[(end + 1)...])
                switch event {
                case .response, .progress: continue
                case .finished:
                    finished += 1
                    try ask(for: &waiting)
                case .notModified, .answered:
                    throw BenchError.failed("passconduit-fetch: no body")
                case .failed(_, let failure):
                    throw BenchError.failed("passconduit-fetch: \(failure.reason)")
                }
            }
        }
    }

    private func ask(for waiting: inout ArraySlice<FetchRequest>) throws {
        guard let request = waiting.popFirst() else { return }
        try orders.write(contentsOf: JSONLines.line(FetchOrder.get(request)))
    }
}

/// A new pipe; not inherited unless passed explicitly.
private func ends() throws -> (reading: CInt, writing: CInt) {
    var ends: [CInt] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw BenchError.failed("there are no pipes") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
}
