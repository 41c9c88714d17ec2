import CCurl
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
        guard case .success(let addresses) = HostAddress.lookUp(text, isNumeric: true),
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
        _ host: String, isNumeric: Bool = false
    ) -> Result<[HostAddress], LookUpError> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = isNumeric ? AI_NUMERICHOST : 0
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { return .failure(LookUpError(code: code)) }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [HostAddress] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            let bytes = unsafe UnsafeRawBufferPointer(
                start: entry.ai_addr, count: Int(entry.ai_addrlen))
            if let address = unsafe HostAddress(socketAddress: bytes),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe next = entry.ai_next
        }
        return .success(addresses)
    }

    /// The address in a `sockaddr_in` or `sockaddr_in6`; nil for other families.
    init?(socketAddress bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        // The offset after family and port, and in IPv6 the flow label.
        let place: Range<Int>
        switch CInt(unsafe bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET: place = 4..<8
        case AF_INET6: place = 8..<24
        default: return nil
        }
        guard bytes.count >= place.upperBound else { return nil }
        self.init(unsafe Array(bytes[place]))
    }
}

/// An error of getaddrinfo.
struct LookUpError: Error {
    let code: CInt
}
