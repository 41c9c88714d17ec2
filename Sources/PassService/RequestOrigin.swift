internal import HTTPTypes
public import Hummingbird
public import NIOCore

/// The origin of a request: the address of the connection, and the logger of the request.
///
/// For example: `let address = context.remoteAddress`
public struct RequestOrigin: RequestContext, RemoteAddressRequestContext {
    /// Hummingbird's own data about a request.
    public var coreContext: CoreRequestContextStorage
    /// The address of the peer: a client or a proxy. Nil for a Unix socket.
    public let remoteAddress: SocketAddress?

    /// Creates the origin of a request. Hummingbird calls this.
    ///
    /// For example: `let make = { RequestOrigin(source: $0) }`
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}

extension RequestOrigin {
    /// The client to count this request for; nil if it is unknown: a connection from this computer
    /// may come from a proxy that is not listed.
    ///
    /// Only X-Forwarded-For is read. A proxy that appends to this field forwards a client's
    /// Forwarded field (RFC 7239) unchanged, so a client could use that field to choose its
    /// address.
    func client(_ headers: HTTPFields, behind proxies: [AddressRange]) -> ClientAddress? {
        guard let peer = remoteAddress.flatMap({ ClientAddress($0) }) else { return nil }
        guard proxies.contains(where: { $0.contains(peer) }) else {
            return peer.isLoopback ? nil : peer.client
        }
        // Each proxy appends the address of its peer. Addresses before those are unverified.
        let forwarded = forwardedFor.flatMap { headers[$0] } ?? ""
        for entry in forwarded.split(separator: ",").reversed() {
            guard let address = forwardedAddress(entry) else { break }
            if !proxies.contains(where: { $0.contains(address) }) { return address.client }
        }
        return peer.client
    }
}

private let forwardedFor = HTTPField.Name("X-Forwarded-For")

/// An address with or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`, `2001:db8::1`.
private func forwardedAddress(_ entry: Substring) -> ClientAddress? {
    let text = entry.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
    if text.first == "[" { return ClientAddress(text.dropFirst().prefix { $0 != "]" }) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return ClientAddress(parts.count == 2 ? parts[0] : text)
}
