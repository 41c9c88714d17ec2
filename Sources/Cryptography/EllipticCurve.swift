internal import Bytes
import CCrypto

/// A curve of NIST (FIPS 186-4).
package enum EllipticCurve: Sendable, Hashable {
    case p256, p384, p521

    /// Nil for a key on another curve, and for one without a curve.
    init?(of key: OpaquePointer) {
        switch unsafe OBJ_sn2nid(Self.name(of: key)) {
        case NID_X9_62_prime256v1: self = .p256
        case NID_secp384r1: self = .p384
        case NID_secp521r1: self = .p521
        default: return nil
        }
    }

    /// The name of a key's curve in OpenSSL; "explicit" if the key describes a curve without a name.
    static func name(of key: OpaquePointer) -> String {
        var name = [UInt8](repeating: 0, count: 64)
        var count = 0
        let isNamed =
            unsafe name.withUnsafeMutableBytes { space in
                unsafe EVP_PKEY_get_group_name(
                    key, space.bindMemory(to: CChar.self).baseAddress, space.count, &count)
            } == 1
        return isNamed ? String(streamSafe: name.prefix(count)) : "explicit"
    }
}
