internal import CP11Kit
internal import Cryptography
internal import Synchronization

/// A key in a security token (PKCS #11), named by a URI (RFC 7512). Only signatures leave the
/// token. p11-kit loads the modules that are configured on this computer.
final class TokenKey: Sendable {
    private let session: Mutex<TokenSession>

    /// Logs in and finds the key of a certificate.
    ///
    /// - Parameters:
    ///   - uri: Such as `pkcs11:token=Issuer;object=pass`.
    ///   - certificate: In DER.
    ///   - pin: The PIN of the user; nil if the token needs none.
    init(
        uri: String, certificate: [UInt8], pin: borrowing Secret?
    ) throws(SigningIdentityError) {
        guard let signer = Certificate(der: certificate) else { throw .notACertificate }
        session = Mutex(try TokenSession(uri, of: signer, pin: pin))
    }

    /// A signature with SHA-256: RSA with PKCS #1 v1.5, or ECDSA in DER.
    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        guard let signature = session.withLock({ $0.sign(message) }) else { throw .keyRefused }
        return signature
    }
}

/// A session with a token, in which the user is logged in.
@safe private struct TokenSession: ~Copyable, Sendable {
    // The modules are used by one thread at a time.
    private nonisolated(unsafe) let modules: UnsafeMutablePointer<CK_FUNCTION_LIST_PTR?>
    private let key: TokenObject

    init(
        _ text: String, of certificate: borrowing Certificate, pin: borrowing Secret?
    ) throws(SigningIdentityError) {
        guard let uri = unsafe p11_kit_uri_new() else { throw .tokenRefused }
        defer { unsafe p11_kit_uri_free(uri) }
        let kinds = P11KitUriType(P11_KIT_URI_FOR_ANY.rawValue)
        guard unsafe p11_kit_uri_parse(text, kinds, uri) == CInt(P11_KIT_URI_OK.rawValue)
        else { throw .notATokenURI }
        // Anyone can see the arguments of a program.
        guard unsafe p11_kit_uri_get_pin_value(uri) == nil else { throw .pinInURI }
        guard let modules = unsafe p11_kit_modules_load_and_initialize(0) else {
            throw .noToken
        }
        do throws(SigningIdentityError) {
            key = try unsafe Self.key(in: modules, matching: uri, of: certificate, pin: pin)
            unsafe self.modules = unsafe modules
        } catch {
            unsafe p11_kit_modules_finalize_and_release(modules)
            throw error
        }
    }

    deinit {
        key.close()
        unsafe p11_kit_modules_finalize_and_release(modules)
    }

    /// Nil if the token refuses.
    borrowing func sign(_ message: [UInt8]) -> [UInt8]? { key.sign(message) }

    /// The private key that belongs to the certificate. The PIN goes to one token only: a wrong one
    /// counts there.
    private static func key(
        in modules: UnsafeMutablePointer<CK_FUNCTION_LIST_PTR?>, matching uri: OpaquePointer,
        of certificate: borrowing Certificate, pin: borrowing Secret?
    ) throws(SigningIdentityError) -> TokenObject {
        let tokens = unsafe Self.tokens(in: modules, matching: uri)
        guard !tokens.isEmpty else { throw .noToken }
        guard tokens.count == 1, let token = tokens.first else { throw .severalTokens }
        let session = try token.session(pin: pin)
        let keys = unsafe token.keys(in: session, matching: uri)
        // The proof that a key is the certificate's is a signature.
        let probe = Array("passconduit".utf8)
        var hasSigned = false
        for key in keys {
            guard let signature = key.sign(probe) else { continue }
            hasSigned = true
            if certificate.verifies(signature, over: probe) { return key }
        }
        token.close(session)
        if keys.isEmpty { throw .keyNotInToken }
        throw hasSigned ? .keyOfOtherCertificate : .tokenRefused
    }

    /// The tokens that match a URI. A token that two modules show counts once. Tokens without a
    /// login, such as those of p11-kit with the trusted authorities, count only if there are no
    /// others.
    private static func tokens(
        in modules: UnsafeMutablePointer<CK_FUNCTION_LIST_PTR?>, matching uri: OpaquePointer
    ) -> [Token] {
        var tokens: [Token] = []
        var next = unsafe modules
        while let module = unsafe next.pointee {
            for slot in unsafe slots(of: module) {
                var info = CK_TOKEN_INFO()
                guard
                    unsafe module.pointee.C_GetTokenInfo?(slot, &info) == CK_RV(CKR_OK),
                    info.flags & CK_FLAGS(CKF_TOKEN_INITIALIZED) != 0,
                    unsafe p11_kit_uri_match_token_info(uri, &info) == 1
                else { continue }
                let token = unsafe Token(module, slot, info)
                if !tokens.contains(where: { $0.name == token.name }) { tokens.append(token) }
            }
            unsafe next += 1
        }
        let locked = tokens.filter(\.needsLogin)
        return locked.isEmpty ? tokens : locked
    }

    private static func slots(of module: CK_FUNCTION_LIST_PTR) -> [CK_SLOT_ID] {
        var count: CK_ULONG = 0
        guard unsafe module.pointee.C_GetSlotList?(1, nil, &count) == CK_RV(CKR_OK) else {
            return []
        }
        var slots = [CK_SLOT_ID](repeating: 0, count: Int(count))
        guard unsafe module.pointee.C_GetSlotList?(1, &slots, &count) == CK_RV(CKR_OK) else {
            return []
        }
        return Array(slots.prefix(Int(count)))
    }
}

/// A token in a slot.
@safe private struct Token {
    private let module: CK_FUNCTION_LIST_PTR
    private let slot: CK_SLOT_ID
    let needsLogin: Bool
    /// The label, manufacturer, model and serial number: the first 96 bytes of CK_TOKEN_INFO.
    let name: [UInt8]

    init(_ module: CK_FUNCTION_LIST_PTR, _ slot: CK_SLOT_ID, _ info: CK_TOKEN_INFO) {
        unsafe self.module = unsafe module
        self.slot = slot
        needsLogin = info.flags & CK_FLAGS(CKF_LOGIN_REQUIRED) != 0
        name = unsafe withUnsafeBytes(of: info) { unsafe Array($0.prefix(96)) }
    }

    /// A session in which the user is logged in if the token requires that.
    func session(pin: borrowing Secret?) throws(SigningIdentityError) -> CK_SESSION_HANDLE {
        var session: CK_SESSION_HANDLE = 0
        let flags = CK_FLAGS(CKF_SERIAL_SESSION)
        guard
            unsafe module.pointee.C_OpenSession?(slot, flags, nil, nil, &session)
                == CK_RV(CKR_OK)
        else { throw .tokenRefused }
        do throws(SigningIdentityError) {
            if needsLogin { try logIn(session, pin: pin) }
        } catch {
            close(session)
            throw error
        }
        return session
    }

    func close(_ session: CK_SESSION_HANDLE) {
        _ = unsafe module.pointee.C_CloseSession?(session)
    }

    private func logIn(
        _ session: CK_SESSION_HANDLE, pin: borrowing Secret?
    ) throws(SigningIdentityError) {
        let answer: CK_RV
        switch pin {
        case .none: throw .passwordNeeded
        case .some(let pin): answer = unsafe pin.logIn(session, of: module)
        }
        switch answer {
        case CK_RV(CKR_OK), CK_RV(CKR_USER_ALREADY_LOGGED_IN): return
        case CK_RV(CKR_PIN_INCORRECT), CK_RV(CKR_PIN_INVALID), CK_RV(CKR_PIN_LEN_RANGE):
            throw .wrongPassword
        case CK_RV(CKR_PIN_LOCKED): throw .pinLocked
        default: throw .tokenRefused
        }
    }

    /// The private keys that match a URI, of 32 at most.
    func keys(in session: CK_SESSION_HANDLE, matching uri: OpaquePointer) -> [TokenObject] {
        var attributes: [CK_ATTRIBUTE] = unsafe []
        var count: CK_ULONG = 0
        if let named = unsafe p11_kit_uri_get_attributes(uri, &count) {
            // The class is that of the private key, whatever the URI says.
            unsafe attributes = unsafe UnsafeBufferPointer(start: named, count: Int(count))
                .filter { unsafe $0.type != CK_ATTRIBUTE_TYPE(CKA_CLASS) }
        }
        var kind = CK_OBJECT_CLASS(CKO_PRIVATE_KEY)
        var keys = [CK_OBJECT_HANDLE](repeating: 0, count: 32)
        var found: CK_ULONG = 0
        unsafe withUnsafeMutableBytes(of: &kind) { kind in
            unsafe attributes.append(
                CK_ATTRIBUTE(
                    type: CK_ATTRIBUTE_TYPE(CKA_CLASS), pValue: kind.baseAddress,
                    ulValueLen: CK_ULONG(kind.count)))
            let count = unsafe CK_ULONG(attributes.count)
            guard
                unsafe module.pointee.C_FindObjectsInit?(session, &attributes, count)
                    == CK_RV(CKR_OK)
            else { return }
            let room = CK_ULONG(keys.count)
            _ = unsafe module.pointee.C_FindObjects?(session, &keys, room, &found)
            _ = unsafe module.pointee.C_FindObjectsFinal?(session)
        }
        return keys.prefix(Int(clamping: found)).map { unsafe TokenObject(module, session, $0) }
    }
}

/// A private key of a token, in a session.
@safe private struct TokenObject: Sendable {
    // The modules are used by one thread at a time.
    private nonisolated(unsafe) let module: CK_FUNCTION_LIST_PTR
    private let session: CK_SESSION_HANDLE
    private let key: CK_OBJECT_HANDLE
    private let isRSA: Bool

    init(
        _ module: CK_FUNCTION_LIST_PTR, _ session: CK_SESSION_HANDLE, _ key: CK_OBJECT_HANDLE
    ) {
        unsafe self.module = unsafe module
        self.session = session
        self.key = key
        var type = CK_KEY_TYPE(CKK_EC)
        unsafe withUnsafeMutableBytes(of: &type) { type in
            var attribute = unsafe CK_ATTRIBUTE(
                type: CK_ATTRIBUTE_TYPE(CKA_KEY_TYPE), pValue: type.baseAddress,
                ulValueLen: CK_ULONG(type.count))
            _ = unsafe module.pointee.C_GetAttributeValue?(session, key, &attribute, 1)
        }
        isRSA = type == CK_KEY_TYPE(CKK_RSA)
    }

    /// Ends the session.
    func close() {
        _ = unsafe module.pointee.C_CloseSession?(session)
    }

    /// A signature with SHA-256; nil if the token refuses.
    func sign(_ message: [UInt8]) -> [UInt8]? {
        let digest = Digest.sha256Bytes(message)
        var mechanism = unsafe CK_MECHANISM()
        unsafe mechanism.mechanism = CK_MECHANISM_TYPE(isRSA ? CKM_RSA_PKCS : CKM_ECDSA)
        var input = isRSA ? Self.digestInfo + digest : digest
        guard unsafe module.pointee.C_SignInit?(session, &mechanism, key) == CK_RV(CKR_OK) else {
            return nil
        }
        var signature = [UInt8](repeating: 0, count: 1024)
        var count = CK_ULONG(signature.count)
        let inputCount = CK_ULONG(input.count)
        guard
            unsafe module.pointee.C_Sign?(session, &input, inputCount, &signature, &count)
                == CK_RV(CKR_OK)
        else { return nil }
        let value = Array(signature.prefix(Int(count)))
        return isRSA ? value : ecdsaDER(value)
    }

    /// The beginning of a DigestInfo for SHA-256 (RFC 8017, 9.2, note 1).
    private static let digestInfo: [UInt8] = [
        0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01,
        0x05, 0x00, 0x04, 0x20,
    ]
}

extension Secret {
    /// Logs in with the secret as the PIN; returns the answer of the token.
    fileprivate borrowing func logIn(
        _ session: CK_SESSION_HANDLE, of module: CK_FUNCTION_LIST_PTR
    ) -> CK_RV {
        unsafe withUnsafeBytes { bytes in
            let text = unsafe bytes.bindMemory(to: UInt8.self)
            let start = unsafe UnsafeMutablePointer(mutating: text.baseAddress)
            return unsafe module.pointee.C_Login?(
                session, CK_USER_TYPE(CKU_USER), start, CK_ULONG(text.count))
                ?? CK_RV(CKR_FUNCTION_FAILED)
        }
    }
}
