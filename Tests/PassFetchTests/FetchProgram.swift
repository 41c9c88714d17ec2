import Fetching
import Foundation
import Synchronization

/// The built program with its own folder. Runs it as passconduit does: orders go in, events come
/// out.
final class FetchProgram {
    let folder: URL
    private let process = Process()
    private let orders = Pipe()
    private let output = Pipe()
    private var held: [UInt8] = []

    /// Terms that allow loopback and http.
    static var terms: FetchTerms {
        var terms = FetchTerms()
        terms.allowsHTTP = true
        terms.allowsPrivateAddresses = true
        terms.userAgent = "passconduit/test"
        return terms
    }

    /// With short timeouts.
    static var configuration: FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.connectTimeout = 5
        configuration.idleTimeout = 30
        configuration.totalTimeout = 60
        return configuration
    }

    init(_ configuration: FetchConfiguration = FetchProgram.configuration) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-fetch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        process.executableURL = FetchProgram.path
        process.arguments = [folder.path]
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "TZ": "UTC"]
        process.standardInput = orders
        process.standardOutput = output
        try process.run()
        try send(configuration)
    }

    deinit {
        try? orders.fileHandleForWriting.close()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    static var path: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("passconduit-fetch")
    }

    func send(_ line: some Encodable) throws {
        try orders.fileHandleForWriting.write(contentsOf: JSONLines.line(line))
    }

    /// Nil if the program has exited.
    func next() throws -> FetchEvent? {
        while true {
            if let end = held.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(held[..<end])
                held.removeFirst(end + 1)
                return try JSONLines.value(FetchEvent.self, from: line)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            held += more
        }
    }

    /// Sends one request and waits for its last event.
    func fetch(_ request: FetchRequest) throws -> Outcome {
        try send(FetchOrder.get(request))
        var outcome = Outcome()
        while let event = try next() {
            outcome.take(event)
            if outcome.isOver { break }
        }
        return outcome
    }

    func fetch(
        _ url: String, as file: String = "body", _ change: (inout FetchRequest) -> Void = { _ in }
    )
        throws -> Outcome
    {
        var request = FetchRequest(id: 7, url: url, file: file, FetchProgram.terms)
        change(&request)
        return try fetch(request)
    }

    func contents(_ file: String = "body") -> [UInt8]? {
        (try? Data(contentsOf: folder.appendingPathComponent(file))).map(Array.init)
    }

    func write(_ bytes: [UInt8], to file: String = "body") throws {
        try Data(bytes).write(to: folder.appendingPathComponent(file))
    }

    /// Closes the program's input as passconduit does, and waits for its exit.
    func end() throws -> Int32 {
        try orders.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    var processIdentifier: Int32 { process.processIdentifier }

    /// The events of one request.
    struct Outcome {
        private(set) var responses: [FetchResponse] = []
        private(set) var progress: [Int] = []
        private(set) var size: Int?
        private(set) var isNotModified = false
        private(set) var status: Int?
        private(set) var failure: FetchFailure?

        var isOver: Bool { size != nil || isNotModified || status != nil || failure != nil }

        mutating func take(_ event: FetchEvent) {
            switch event {
            case .response(_, let response): responses.append(response)
            case .progress(_, let received): progress.append(received)
            case .finished(_, let size): self.size = size
            case .notModified: isNotModified = true
            case .answered(_, let status): self.status = status
            case .failed(_, let failure): self.failure = failure
            }
        }
    }
}
