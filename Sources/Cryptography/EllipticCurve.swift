import CCrypto

/// A curve of NIST (FIPS 186-4).
package enum EllipticCurve: Sendable, Hashable {
    case p256, p384, p521

    /// Nil for a key on another curve, and for one without a curve.
    init?(of key: OpaquePointer) {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else {
            return nil
        }
        switch unsafe OBJ_sn2nid(name) {
        case NID_X9_62_prime256v1: self = .p256
        case NID_secp384r1: self = .p384
        case NID_secp521r1: self = .p521
        default: return nil
        }
    }
}
