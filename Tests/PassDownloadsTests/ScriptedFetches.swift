import Fetching
import Foundation
import Platform
import Synchronization

/// The other end of a `FetchProcess`, simulated by a test: it answers each order as scripted.
final class ScriptedFetches: Sendable {
    /// The pipes that the loop reads from and writes to.
    let events: FileDescriptor
    let orders: FileDescriptor
    let folder: String
    private let requests = Mutex<[FetchRequest]>([])
    private let cancelled = Mutex<[Int64]>([])

    /// - Parameter answer: Returns the events for a request, and writes files itself.
    init(
        in folder: String,
        answer: @escaping @Sendable (FetchRequest, ScriptedFetches) -> [FetchEvent]
    ) throws {
        self.folder = folder
        // The reader may close its end early.
        signal(SIGPIPE, SIG_IGN)
        let (reading, orders) = try FileDescriptor.pipe()
        let (events, writing) = try FileDescriptor.pipe()
        self.orders = orders
        self.events = events
        Thread.detachNewThread { [self] in
            let lines = FileHandle(fileDescriptor: reading.number, closeOnDealloc: false)
            var rest = Data()
            while true {
                let more = lines.availableData
                if more.isEmpty { break }
                rest += more
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(rest[..<end])
                    rest = Data(rest[(end + 1)...])
                    guard let order = try? JSONLines.value(FetchOrder.self, from: line) else {
                        continue
                    }
                    switch order {
                    case .cancel(let id): cancelled.withLock { $0.append(id) }
                    case .get(let request):
                        requests.withLock { $0.append(request) }
                        for event in answer(request, self) {
                            guard let line = try? JSONLines.line(event) else { continue }
                            try? writing.writeAll(line.span)
                        }
                    }
                }
            }
            writing.close()
            reading.close()
        }
    }

    var asked: [FetchRequest] { requests.withLock { $0 } }
    var stopped: [Int64] { cancelled.withLock { $0 } }

    /// Writes a body like the program, and reports it.
    func serve(_ body: String, to request: FetchRequest, from offset: Int = 0) -> [FetchEvent] {
        let path = "\(folder)/\(request.file)"
        let old = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
        let bytes = old.prefix(offset) + Data(body.utf8)
        try? bytes.write(to: URL(fileURLWithPath: path))
        var response = FetchResponse(url: request.url, offset: offset)
        response.size = bytes.count
        response.validator = "\"1\""
        return [
            .response(id: request.id, response), .progress(id: request.id, received: bytes.count),
            .finished(id: request.id, size: bytes.count),
        ]
    }
}
