internal import HTTPTypes
public import Hummingbird
public import NIOCore

/// The origin of a request: the address of the connection, and the logger of the request.
///
/// For example: `let address = context.remoteAddress`
public struct RequestOrigin: RequestContext, RemoteAddressRequestContext {
    /// What Hummingbird stores about a request.
    public var coreContext: CoreRequestContextStorage
    /// The address at the other end of the connection: a client or a proxy. Nil for a Unix socket.
    public let remoteAddress: SocketAddress?

    /// Hummingbird creates the origin of each request.
    ///
    /// For example: `let make = { RequestOrigin(source: $0) }`
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}

extension RequestOrigin {
    /// The client whose requests are counted together; nil if it is not known, since a connection
    /// from this computer that does not come from a listed proxy may come from any proxy.
    ///
    /// Only X-Forwarded-For is read. A proxy that adds itself to this field passes a Forwarded field
    /// (RFC 7239) of the client on as it is, so that a client could choose its address.
    func client(_ headers: HTTPFields, behind proxies: [AddressRange]) -> ClientAddress? {
        guard let peer = remoteAddress.flatMap({ ClientAddress($0) }) else { return nil }
        guard proxies.contains(where: { $0.contains(peer) }) else {
            return peer.isLoopback ? nil : peer.client
        }
        // Each proxy adds the address that it sees at the end. Those before are the client's words.
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
