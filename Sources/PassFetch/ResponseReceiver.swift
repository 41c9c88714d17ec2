internal import Fetching

/// Receives one response: interprets its head, and writes the body to the file.
struct ResponseReceiver: ~Copyable {
    /// The limit for all heads of a response, interim ones included, in bytes. libcurl has another
    /// for each line.
    private static let headLimit = 64 << 10
    /// The limit for the body of a response other than the requested one, in bytes. A short body is
    /// read so that the connection can be used again.
    private static let otherBodyLimit = 64 << 10

    private let resource: ResourceRequest
    /// Whether an HTTP proxy forwards the response, so that its status may be the proxy's own.
    private let isForwarded: Bool
    private let folder: String
    private let name: String

    private var head: ResponseHead?
    private var headSize = 0
    private var file: BodyFile?
    private var dropped = 0
    /// The meaning of the head, once that is complete.
    private(set) var answer: Answer?
    /// Why no more is read, other than for an error of the connection.
    private(set) var failure: FetchFailure?

    init(
        _ resource: ResourceRequest, isForwarded: Bool, into name: String, in folder: String
    ) {
        self.resource = resource
        self.isForwarded = isForwarded
        self.name = name
        self.folder = folder
    }

    /// Whether the last response was the proxy's request for authentication.
    var wantsProxyCredentials: Bool { isForwarded && head?.status == 407 }

    /// The number of bytes of the body in the file.
    private(set) var size = 0

    /// The number of bytes of the body received in this response.
    private(set) var received = 0

    /// Whether the response is read for its body.
    var hasBody: Bool { if case .body = answer { true } else { false } }

    /// Takes a line of a head; returns whether to continue.
    mutating func takeLine(_ line: Span<UInt8>) -> Bool {
        headSize += line.count
        guard headSize <= ResponseReceiver.headLimit else { return stop(.longAnswer) }
        // The fields after a chunked body (RFC 9112, 7.1.2) are not needed.
        guard answer == nil else { return true }
        let line = line.indices.map { line[$0] }
        if let begun = ResponseHead(statusLine: line), head == nil || head?.isComplete == true {
            head = begun
        } else {
            head?.take(line)
        }
        // The first line ends a head of HTTP/0.9, which libcurl refuses, so there is one here.
        guard let head else { return stop(.notHTTP(host: resource.target.origin.description)) }
        // Interim responses (RFC 9110, 15.2) precede the final one, but for a change of protocol.
        guard head.isComplete, head.status >= 200 || head.status == 101 else { return true }
        // libcurl then authenticates, if it can.
        if isForwarded, head.status == 407 { return true }
        guard !head.isMalformed else {
            return stop(.notHTTP(host: resource.target.origin.description))
        }
        return begin(Answer(head, to: resource, now: .now))
    }

    private mutating func begin(_ answer: Answer) -> Bool {
        self.answer = answer
        guard case .body(let response, _) = answer else { return true }
        do throws(FetchFailure) {
            file = try BodyFile(name, in: folder, from: response.offset)
            size = response.offset
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Takes a piece of the body; returns whether to continue.
    mutating func takeBody(_ bytes: Span<UInt8>) -> Bool {
        guard hasBody else {
            dropped += bytes.count
            return dropped <= ResponseReceiver.otherBodyLimit
        }
        guard bytes.count <= resource.maximumSize - size else {
            failure = .size(nil, resource)
            return false
        }
        do throws(FetchFailure) {
            try file?.append(bytes)
        } catch {
            failure = error
            return false
        }
        received += bytes.count
        size += bytes.count
        return true
    }

    private mutating func stop(_ reason: FetchFailureReason) -> Bool {
        failure = FetchFailure(reason)
        return false
    }
}
