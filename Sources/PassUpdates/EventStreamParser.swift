/// Parses the lines of an event stream (WHATWG HTML, 9.2.6). Each connection needs a new parser:
///
///     id: 1742
///     event: changes
///     data: {"passTypeIdentifiers":["pass.com.example.boarding"],"lastUpdated":"1742"}
///
package struct EventStreamParser: Sendable {
    /// The ID of the last complete event that had one; empty if there was none. The value of
    /// Last-Event-ID when the stream is opened again.
    package private(set) var lastEventID = ""
    /// The delay before the stream is opened again, as requested by the server, in seconds.
    package private(set) var retry: Double?

    /// The most bytes of data in an event; a longer event is left out.
    private let longestData: Int
    private var isAtStart = true
    // The fields of the incomplete event.
    private var id = ""
    private var event = ""
    private var data: String?
    private var isTooLong = false

    /// - Parameter longestData: In bytes.
    package init(longestData: Int = 256 << 10) {
        self.longestData = longestData
    }

    /// Parses a line, without its line end; returns the event that it completes.
    package mutating func take(_ line: String) -> ServerSentEvent? {
        var line = line.utf8[...]
        if isAtStart, line.starts(with: "\u{FEFF}".utf8) { line = line.dropFirst(3) }
        isAtStart = false
        guard !line.isEmpty else { return complete() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        take(String(Substring(line[..<colon])), String(Substring(value)))
        return nil
    }

    private mutating func take(_ field: String, _ value: String) {
        switch field {
        case "event": event = value
        case "id" where !value.utf8.contains(0): id = value
        case "data": append(value)
        case "retry" where value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }):
            retry = Int(value).map { Double($0) / 1000 } ?? retry
        default: break
        }
    }

    private mutating func append(_ line: String) {
        let count = data.map { $0.utf8.count + 1 } ?? 0
        isTooLong = isTooLong || count + line.utf8.count > longestData
        guard !isTooLong else { return }
        if data == nil {
            data = line
        } else {
            data?.append("\n")
            data?.append(line)
        }
    }

    private mutating func complete() -> ServerSentEvent? {
        defer {
            event = ""
            data = nil
            isTooLong = false
        }
        guard !isTooLong else {
            id = lastEventID
            return nil
        }
        lastEventID = id
        return data.map {
            ServerSentEvent(id: id, event: event.isEmpty ? "message" : event, data: $0)
        }
    }
}
