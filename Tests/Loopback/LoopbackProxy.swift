import NIOCore
import NIOPosix
import Synchronization

/// A proxy on loopback that opens tunnels (RFC 9110, 9.3.6) and forwards plain requests, one per
/// connection. The test maps names to ports, so that no name is looked up.
package final class LoopbackProxy: Sendable {
    /// The targets of all requests.
    package struct Inquiry: Sendable {
        package let method: String
        /// `host:port` of a tunnel, a whole URL otherwise.
        package let target: String
        package let fields: [(name: String, value: String)]

        package subscript(name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    package let port: Int
    private let ports: [String: Int]
    private let credentials: String?
    private let asked = Mutex<[Inquiry]>([])

    package var inquiries: [Inquiry] { asked.withLock(\.self) }

    package var url: String { "http://\(address):\(port)" }

    private let address: String

    private let endlessRefusals: Bool

    private init(
        address: String, port: Int, ports: [String: Int], credentials: String?,
        endlessRefusals: Bool
    ) {
        self.endlessRefusals = endlessRefusals
        self.address = address
        self.port = port
        self.ports = ports
        self.credentials = credentials
    }

    /// Runs a proxy for as long as `body` runs. `ports` maps host names to ports of this computer;
    /// `credentials` is the required value of Proxy-Authorization. The body of the response to
    /// others has no end if `endlessRefusals`.
    package static func run<Outcome>(
        on address: String = "127.0.0.1", ports: [String: Int] = [:], credentials: String? = nil,
        endlessRefusals: Bool = false, _ body: (LoopbackProxy) async throws -> Outcome
    ) async throws -> Outcome {
        let listener = try await LoopbackListener(on: address)
        let proxy = LoopbackProxy(
            address: address, port: listener.port, ports: ports, credentials: credentials,
            endlessRefusals: endlessRefusals)
        return try await listener.serve(proxy.serve) { try await body(proxy) }
    }

    private func serve(_ connection: LoopbackListener.Connection) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var chunks = inbound.makeAsyncIterator()
            var start: [UInt8] = []
            while !String(decoding: start, as: UTF8.self).contains("\r\n\r\n") {
                guard start.count < 1 << 16, let chunk = try await chunks.next() else { return }
                start += chunk.readableBytesView
            }
            let text = String(decoding: start, as: UTF8.self)
            guard let inquiry = Inquiry(text) else {
                try await outbound.write(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n"))
                return
            }
            asked.withLock { $0.append(inquiry) }
            guard credentials == nil || inquiry["Proxy-Authorization"] == credentials else {
                let refusal = """
                    HTTP/1.1 407 Proxy Authentication Required\r
                    Proxy-Authenticate: Basic realm="test"\r
                    Content-Length: \(endlessRefusals ? Int.max : 0)\r
                    Connection: \(endlessRefusals ? "keep-alive" : "close")\r
                    \r

                    """
                try await outbound.write(ByteBuffer(string: refusal))
                while endlessRefusals {
                    try await outbound.write(ByteBuffer(repeating: 0x20, count: 64 << 10))
                }
                return
            }
            let client = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            guard let port = inquiry.port(among: ports),
                let server = try? await client.connect(
                    host: "127.0.0.1", port: port, channelInitializer: asynchronous)
            else {
                let refusal = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"
                try await outbound.write(ByteBuffer(string: refusal))
                return
            }
            try await server.executeThenClose { answers, orders in
                if inquiry.method == "CONNECT" {
                    try await outbound.write(ByteBuffer(string: "HTTP/1.1 200 Connected\r\n\r\n"))
                } else {
                    try await orders.write(ByteBuffer(string: inquiry.forwarded(text)))
                }
                try await withThrowingTaskGroup(of: Void.self) { both in
                    both.addTask {
                        var isFirst = inquiry.method != "CONNECT"
                        for try await answer in answers {
                            try await outbound.write(isFirst ? closing(answer) : answer)
                            isFirst = false
                        }
                    }
                    while let chunk = try await chunks.next() { try await orders.write(chunk) }
                    orders.finish()
                    try await both.waitForAll()
                }
            }
        }
    }
}

/// A response with the field `Connection: close`, since the proxy takes one request per connection.
private func closing(_ response: ByteBuffer) -> ByteBuffer {
    let bytes = response.readableBytesView
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return response }
    return ByteBuffer(bytes: bytes[...end] + "Connection: close\r\n".utf8 + bytes[(end + 1)...])
}

extension LoopbackProxy.Inquiry {
    fileprivate init?(_ text: String) {
        let lines = text.prefix(upTo: text.firstRange(of: "\r\n\r\n")?.lowerBound ?? text.endIndex)
            .split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        method = String(words[0])
        target = String(words[1])
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
            return (String(parts[0]), String(value))
        }
    }

    /// Host and port, and the path of a plain request.
    private var parts: (authority: Substring, path: Substring) {
        guard method != "CONNECT" else { return (target[...], "") }
        let rest = target.dropFirst("http://".count)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        return (rest[..<end], end == rest.endIndex ? "/" : rest[end...])
    }

    fileprivate func port(among ports: [String: Int]) -> Int? {
        var (host, port) = (parts.authority, Int?.none)
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            port = Int(host[host.index(after: colon)...])
            host = host[..<colon]
        }
        if host.hasPrefix("[") { host = host.dropFirst().dropLast() }
        if let port = ports[String(host)] { return port }
        return host == "127.0.0.1" || host == "localhost" ? port : nil
    }

    /// The request as sent to the server (RFC 9112, 3.2.1), on a connection that is not reused, and
    /// without the fields meant for the proxy (RFC 9110, 11.7.2).
    fileprivate func forwarded(_ text: String) -> String {
        let end = text.firstRange(of: "\r\n\r\n")?.lowerBound ?? text.endIndex
        let own = ["proxy-authorization", "proxy-connection", "connection"]
        let others = fields.filter { !own.contains($0.name.lowercased()) }
        let lines =
            ["\(method) \(parts.path) HTTP/1.1"] + others.map { "\($0.name): \($0.value)" }
            + ["Connection: close"]
        return lines.joined(separator: "\r\n") + text[end...]
    }
}

@Sendable
func asynchronous(
    _ channel: any Channel
) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>> {
    channel.eventLoop.makeCompletedFuture {
        try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true))
    }
}
