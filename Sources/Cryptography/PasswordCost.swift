import CCrypto

/// A limit on the work to derive keys from passwords. A file says how often to repeat the
/// derivation, up to 2^31 times, and may ask for any number of derivations, which would take hours.
struct PasswordCost {
    /// Repetitions of a digest that are left. 10 million take a few seconds; OpenSSL writes 2,048,
    /// and OWASP recommends 600,000.
    private var rest = 10_000_000

    /// Takes repetitions from the rest; false if there are too few.
    mutating func takes(_ repetitions: Int) -> Bool {
        guard repetitions >= 0, repetitions <= rest else { return false }
        rest -= repetitions
        return true
    }

    /// Takes what an algorithm costs: PBES1 and PBES2 (RFC 8018, A) with PBKDF2 or scrypt (RFC 7914,
    /// 7), and those of PKCS #12 (RFC 7292, appendix C). False as well for other algorithms.
    mutating func takes(_ algorithm: UnsafePointer<X509_ALGOR>?) -> Bool {
        guard let repetitions = unsafe repetitions(of: algorithm) else { return false }
        return takes(repetitions)
    }
}

private func repetitions(of algorithm: UnsafePointer<X509_ALGOR>?) -> Int? {
    switch unsafe kind(of: algorithm) {
    case NID_pbes2:
        guard let item = unsafe PBE2PARAM_it(),
            let parameters = unsafe decoded(algorithm, item, as: PBE2PARAM.self)
        else { return nil }
        defer { unsafe PBE2PARAM_free(parameters) }
        return unsafe derivations(parameters.pointee.keyfunc)
    default:
        guard let item = unsafe PBEPARAM_it(),
            let parameters = unsafe decoded(algorithm, item, as: PBEPARAM.self)
        else { return nil }
        defer { unsafe PBEPARAM_free(parameters) }
        return unsafe positive(parameters.pointee.iter)
    }
}

private func derivations(_ algorithm: UnsafePointer<X509_ALGOR>?) -> Int? {
    switch unsafe kind(of: algorithm) {
    case NID_id_pbkdf2:
        guard let item = unsafe PBKDF2PARAM_it(),
            let parameters = unsafe decoded(algorithm, item, as: PBKDF2PARAM.self)
        else { return nil }
        defer { unsafe PBKDF2PARAM_free(parameters) }
        return unsafe positive(parameters.pointee.iter)
    case NID_id_scrypt:
        guard let item = unsafe SCRYPT_PARAMS_it(),
            let parameters = unsafe decoded(algorithm, item, as: SCRYPT_PARAMS.self)
        else { return nil }
        defer { unsafe SCRYPT_PARAMS_free(parameters) }
        let factors = unsafe [
            parameters.pointee.costParameter, parameters.pointee.blockSize,
            parameters.pointee.parallelizationParameter,
        ]
        return unsafe factors.reduce(1) { product, factor in
            guard let product, let factor = unsafe positive(factor) else { return nil }
            let (result, overflows) = product.multipliedReportingOverflow(by: factor)
            return overflows ? nil : result
        }
    default: return nil
    }
}

private func kind(of algorithm: UnsafePointer<X509_ALGOR>?) -> CInt {
    unsafe algorithm.map { unsafe OBJ_obj2nid($0.pointee.algorithm) } ?? NID_undef
}

/// The parameters of an algorithm; the caller frees them.
private func decoded<Parameters>(
    _ algorithm: UnsafePointer<X509_ALGOR>?, _ item: OpaquePointer, as type: Parameters.Type
) -> UnsafeMutablePointer<Parameters>? {
    let parameters = unsafe ASN1_TYPE_unpack_sequence(item, algorithm?.pointee.parameter)
    return unsafe parameters?.assumingMemoryBound(to: type)
}

/// Nil unless it is a positive number of reasonable size.
func positive(_ integer: UnsafePointer<ASN1_INTEGER>?) -> Int? {
    var value: Int64 = 0
    guard let integer = unsafe integer, unsafe ASN1_INTEGER_get_int64(&value, integer) == 1,
        value > 0
    else { return nil }
    return Int(exactly: value)
}
