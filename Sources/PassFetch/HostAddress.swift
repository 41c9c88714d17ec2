import Glibc

/// An IP address: four bytes for IPv4, sixteen for IPv6.
struct HostAddress: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parses any notation that getaddrinfo accepts without DNS, such as `127.1`, `0x7f000001` and
    /// `2130706433` (VIOLATIONS.md, H19), so that an address is never treated as a host name.
    init?(numeric text: String) {
        guard case .success(let addresses) = HostAddress.lookUp(text, asksNobody: true),
            let first = addresses.first
        else { return nil }
        self = first
    }

    /// The IPv4 address embedded at `index`.
    func embedded(at index: Int) -> HostAddress {
        HostAddress(Array(bytes.dropFirst(index).prefix(4)))
    }

    var isIPv6: Bool { bytes.count == 16 }

    var description: String {
        let family = isIPv6 ? AF_INET6 : AF_INET
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        return unsafe bytes.withUnsafeBytes { bytes in
            guard bytes.count == 4 || bytes.count == 16,
                let name = unsafe inet_ntop(
                    family, bytes.baseAddress, &text, socklen_t(INET6_ADDRSTRLEN))
            else { return "" }
            return unsafe String(cString: name)
        }
    }

    /// Calls getaddrinfo, which may take long.
    ///
    /// - Returns: The addresses in order of preference (RFC 6724), or the error code.
    static func lookUp(
        _ host: String, asksNobody: Bool = false
    ) -> Result<[HostAddress], LookUpError> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = asksNobody ? AI_NUMERICHOST : 0
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { return .failure(LookUpError(code: code)) }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [HostAddress] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            if let address = unsafe HostAddress(entry), !addresses.contains(address) {
                addresses.append(address)
            }
            unsafe next = entry.ai_next
        }
        return .success(addresses)
    }

    private init?(_ entry: addrinfo) {
        // The offset after family and port, and in IPv6 the flow label.
        let place: (offset: Int, count: Int)
        switch unsafe entry.ai_family {
        case AF_INET: place = (4, 4)
        case AF_INET6: place = (8, 16)
        default: return nil
        }
        guard let address = unsafe UnsafeRawPointer(entry.ai_addr),
            Int(unsafe entry.ai_addrlen) >= place.offset + place.count
        else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: address + place.offset, count: place.count)
        self.init(unsafe Array(bytes))
    }
}

/// An error of getaddrinfo.
struct LookUpError: Error {
    let code: CInt
}
