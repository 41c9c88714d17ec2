internal import Bytes
package import Cryptography
public import Foundation
internal import Glibc
package import PassVerification
internal import Platform

/// The keys and certificates with which passes are signed on this computer: a folder of PEM files
/// that only its owner can read.
///
/// A key is in `ID.key`; each of its certificates is in `ID-FINGERPRINT.pem`, with the issuers that
/// came with it. ID and FINGERPRINT are
/// the first 16 digits of the SHA-256 of the public key and of the certificate.
///
/// ```swift
/// let folder = SigningFolder(url)
/// let identity = try folder.identity(for: "pass.com.example.ticket")
/// ```
public struct SigningFolder: Sendable {
    /// The folder; a missing one counts as empty.
    public let directory: URL

    /// The folder at this location; it is created with the first key.
    ///
    /// ```swift
    /// let home = FileManager.default.homeDirectoryForCurrentUser
    /// let folder = SigningFolder(home.appending(path: "pass-keys"))
    /// ```
    public init(_ directory: URL) {
        self.directory = directory
    }

    /// A certificate in the folder.
    ///
    /// ```swift
    /// for entry in try SigningFolder(url).contents().certificates where !entry.hasKey {
    ///     print("no key for \(entry.name)")
    /// }
    /// ```
    public struct Entry: Sendable, Hashable {
        /// The pass type that the certificate is for; nil if it names none.
        public let passTypeIdentifier: String?
        /// The team of the certificate; nil if it names none.
        public let teamIdentifier: String?
        /// The common name of the certificate.
        public let name: String
        /// The start of the certificate's validity.
        public let notBefore: Date
        /// The end of the certificate's validity.
        public let notAfter: Date
        /// The SHA-256 of the certificate, in lower-case hexadecimal digits.
        public let fingerprint: String
        /// Whether the folder has the key of the certificate.
        public let hasKey: Bool
        let certificate: [UInt8]
        /// The certificates that came with it, in DER.
        let issuers: [[UInt8]]
        let keyFile: String

        fileprivate init(
            _ certificate: borrowing Certificate, _ der: [UInt8], issuers: [[UInt8]],
            _ keyFile: String, hasKey: Bool
        ) {
            passTypeIdentifier = certificate.passTypeIdentifier
            teamIdentifier = certificate.teamIdentifier
            name = certificate.name
            notBefore = certificate.notBefore
            notAfter = certificate.notAfter
            fingerprint = certificate.fingerprint
            self.hasKey = hasKey
            self.certificate = der
            self.issuers = issuers
            self.keyFile = keyFile
        }

        /// Whether the certificate ends within this number of days, or has ended.
        ///
        /// ```swift
        /// let entries = try SigningFolder(url).contents().certificates
        /// let due = entries.filter { $0.expires(withinDays: 30) }
        /// ```
        ///
        /// - Parameters:
        ///   - days: Days of 24 hours.
        ///   - time: The time from which they count.
        public func expires(withinDays days: Int, at time: Date = .now) -> Bool {
            notAfter < time + TimeInterval(days) * 86_400
        }

        /// The name of the authority above the certificate and its issuers; nil if it is one of
        /// these anchors.
        package func untrustedAuthority(trusting anchors: TrustAnchors) -> String? {
            guard let leaf = Certificate(der: certificate) else { return nil }
            let known = issuers + AppleIntermediates.certificates
            let chain = [certificate] + (IssuerChain(of: leaf, among: known)?.embedded ?? [])
            let vouching = anchors.all.filter { $0.vouches(for: passTypeIdentifier ?? "") }
            let isAnchored = chain.contains { der in
                guard let certificates = SigningCertificates(all: [der]) else { return false }
                return vouching.contains(where: certificates.namesAsIssuer)
            }
            guard !isAnchored, let last = chain.last else { return nil }
            return Certificate(der: last)?.issuerName
        }
    }

    /// A key without a certificate: a request that Apple has not answered yet.
    ///
    /// For example: `let requested = try SigningFolder(url).contents().pending.map(\.file)`
    public struct PendingKey: Sendable, Hashable {
        /// The name of the file.
        public let file: String
    }

    /// The certificates and the keys without one, each in the order of file names.
    ///
    /// ```swift
    /// let (certificates, pending) = try SigningFolder(url).contents()
    /// print("\(certificates.count) certificates, \(pending.count) requests")
    /// ```
    ///
    /// - Throws: ``SigningFolderError/unreadable(_:)`` if the folder exists but cannot be read.
    public func contents() throws(SigningFolderError) -> (
        certificates: [Entry], pending: [PendingKey]
    ) {
        let names = try names()
        let keys = names.filter { $0.hasSuffix(".key") }
        var entries: [Entry] = []
        for name in names where name.hasSuffix(".pem") {
            let list = Certificate.list(in: try contents(of: name)) ?? []
            guard let der = list.first, let certificate = Certificate(der: der) else { continue }
            let keyFile = "\(certificate.keyIdentifier).key"
            entries.append(
                Entry(
                    certificate, der, issuers: Array(list.dropFirst()), keyFile,
                    hasKey: keys.contains(keyFile)))
        }
        let pending = keys.filter { key in !entries.contains { $0.keyFile == key } }
        return (entries, pending.map(PendingKey.init))
    }

    /// Creates a key and a request for its certificate (RFC 2986), as the developer portal takes it.
    ///
    /// ```swift
    /// let folder = SigningFolder(url)
    /// let (request, _) = try folder.request(name: "Ana Silva", emailAddress: "ana@example.com")
    /// try Data(request).write(to: URL(fileURLWithPath: "pass.certSigningRequest"))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The common name of the requester.
    ///   - emailAddress: That of the requester.
    ///   - country: Two letters (ISO 3166); nil to leave it out.
    /// - Returns: The request in PEM, and the name of the file with the key.
    /// - Throws: ``SigningFolderError/badName``, ``SigningFolderError/badEmailAddress`` or
    ///   ``SigningFolderError/badCountry`` if a request cannot contain the value;
    ///   ``SigningFolderError/notGenerated`` if OpenSSL makes no key;
    ///   ``SigningFolderError/unwritable(_:)`` if the key cannot be stored.
    public func request(
        name: String, emailAddress: String, country: String? = nil
    ) throws(SigningFolderError) -> (request: [UInt8], keyFile: String) {
        guard let key = PrivateKey(generatingRSA: 2048) else { throw .notGenerated }
        let request: CertificateRequest
        do throws(CertificateRequestError) {
            request = try CertificateRequest(
                key: key, commonName: name, emailAddress: emailAddress, country: country)
        } catch {
            switch error {
            case .emailAddress: throw .badEmailAddress
            case .commonName: throw .badName
            case .country: throw .badCountry
            case .failed: throw .notGenerated
            }
        }
        return (Array(request.pem.utf8), try add(key))
    }

    /// Removes a key without a certificate, such as that of a request that could not be written.
    ///
    /// - Parameter file: The name of the file, as ``request(name:emailAddress:country:)`` gives it;
    ///   a key with a certificate stays.
    package func discardKey(_ file: String) throws(SigningFolderError) {
        guard try contents().pending.contains(PendingKey(file: file)) else { return }
        do throws(FileError) {
            try DurableFile(Array("\(path)/\(file)".utf8)).remove()
        } catch {
            throw .unwritable(FolderFault(error))
        }
    }

    /// Adds a certificate whose key is in the folder.
    ///
    /// ```swift
    /// let file = try Data(contentsOf: URL(fileURLWithPath: "pass.cer"))
    /// let entry = try SigningFolder(url).add(certificate: [UInt8](file), team: "A1B2C3D4E5")
    /// ```
    ///
    /// - Parameters:
    ///   - file: In DER or PEM, as the developer portal gives it.
    ///   - passType: The pass type that it must be for; nil for any.
    ///   - team: The team that it must be of; nil for any.
    /// - Throws: ``SigningFolderError/notACertificate``,
    ///   ``SigningFolderError/notForPasses(name:)``,
    ///   ``SigningFolderError/otherPassType(certificate:wanted:)`` or
    ///   ``SigningFolderError/otherTeam(certificate:wanted:)`` if the file is not the right
    ///   certificate; ``SigningFolderError/keyMissing`` if its key is not in the folder;
    ///   ``SigningFolderError/unreadable(_:)`` or ``SigningFolderError/unwritable(_:)`` if the
    ///   folder cannot be read or written.
    public func add(
        certificate file: [UInt8], passType: String? = nil, team: String? = nil
    ) throws(SigningFolderError) -> Entry {
        let list = Certificate.list(in: file) ?? []
        guard let first = list.first else { throw .notACertificate }
        // The certificate of a pass type may follow those of its issuers.
        let der = list.first { Certificate(der: $0)?.passTypeIdentifier != nil } ?? first
        guard let certificate = Certificate(der: der) else { throw .notACertificate }
        let keyFile = "\(certificate.keyIdentifier).key"
        guard try names().contains(keyFile) else { throw .keyMissing }
        return try add(
            certificate, der, issuers: list.filter { $0 != der }, keyFile, passType: passType,
            team: team)
    }

    /// Adds a certificate and its key.
    package func add(
        pkcs12 file: [UInt8], password: borrowing Secret?, passType: String? = nil,
        team: String? = nil
    ) throws(SigningFolderError) -> Entry {
        let contents: PKCS12
        do throws(PKCS12Error) {
            contents = try PKCS12(file, password: password)
        } catch {
            throw .identity(SigningIdentityError(error))
        }
        guard let certificate = Certificate(der: contents.certificate) else {
            throw .notACertificate
        }
        try check(certificate, passType: passType, team: team)
        let keyFile = try add(contents.key)
        return try add(
            certificate, contents.certificate, issuers: contents.others, keyFile,
            passType: passType, team: team)
    }

    /// The certificates of a pass type that have their key, the one that was issued last first.
    private func entries(for passType: String) throws(SigningFolderError) -> [Entry] {
        try contents().certificates.filter {
            $0.hasKey && $0.passTypeIdentifier?.isExactly(passType) == true
        }
        .sorted { $0.notBefore > $1.notBefore }
    }

    /// The certificate for a pass type that was issued last, with its key.
    ///
    /// ```swift
    /// let keys = SigningFolder(url)
    /// let signer = PassSigner(try keys.identity(for: "pass.com.example.boarding"))
    /// ```
    ///
    /// - Parameters:
    ///   - passType: A pass type identifier.
    ///   - issuers: Certificates among which the issuer may be, in PEM or DER. Apple's are known.
    ///   - time: A certificate that is valid at this time is preferred.
    /// - Throws: ``SigningFolderError/noCertificate(passType:)`` if the folder has none for the
    ///   pass type; ``SigningFolderError/identity(_:)`` if it cannot sign with its key;
    ///   ``SigningFolderError/unreadable(_:)`` if the folder cannot be read.
    public func identity(
        for passType: String, issuers: [[UInt8]] = [], at time: Date = .now
    ) throws(SigningFolderError) -> SigningIdentity {
        let entries = try entries(for: passType)
        let valid = entries.first { $0.notBefore <= time && time <= $0.notAfter }
        guard let entry = valid ?? entries.first else { throw .noCertificate(passType: passType) }
        let key = try secret(in: entry.keyFile)
        do throws(SigningIdentityError) {
            return try SigningIdentity(
                certificate: entry.certificate, key: key, secret: nil,
                issuers: entry.issuers + issuers)
        } catch {
            throw .identity(error)
        }
    }

    /// A certificate, its key and its issuers as PKCS #12.
    ///
    /// - Parameter name: A pass type, or the beginning of a fingerprint.
    package func pkcs12(
        of name: String, password: borrowing Secret
    ) throws(SigningFolderError) -> [UInt8] {
        let named = try contents().certificates.filter {
            $0.hasKey && !name.isEmpty && $0.fingerprint.hasPrefix(name.lowercased())
        }
        guard let entry = try named.count == 1 ? named.first : entries(for: name).first else {
            throw named.isEmpty ? .noCertificate(passType: name) : .ambiguous(name)
        }
        let secret = try secret(in: entry.keyFile)
        let key: PrivateKey
        do throws(PrivateKeyError) {
            key = try PrivateKey(pem: secret, password: nil)
        } catch {
            throw .identity(SigningIdentityError(error))
        }
        var issuers = entry.issuers
        if issuers.isEmpty, let certificate = Certificate(der: entry.certificate) {
            issuers = AppleIntermediates.certificates.filter { der in
                guard let issuer = Certificate(der: der) else { return false }
                return certificate.isSigned(by: issuer)
            }
        }
        guard
            let file = PKCS12.encode(
                certificate: entry.certificate, key: key, others: issuers,
                name: entry.name, password: password)
        else { throw .notGenerated }
        return file
    }

    private func check(
        _ certificate: borrowing Certificate, passType: String?, team: String?
    ) throws(SigningFolderError) {
        guard let ownType = certificate.passTypeIdentifier,
            let ownTeam = certificate.teamIdentifier,
            certificate.extendedKeyUsage.contains(PassCertificate.purpose),
            !certificate.extensions(PassCertificate.passType).isEmpty
        else { throw .notForPasses(name: certificate.name) }
        if let passType, passType != ownType {
            throw .otherPassType(certificate: ownType, wanted: passType)
        }
        if let team, team != ownTeam { throw .otherTeam(certificate: ownTeam, wanted: team) }
    }

    private func add(
        _ certificate: borrowing Certificate, _ der: [UInt8], issuers: [[UInt8]],
        _ keyFile: String, passType: String?, team: String?
    ) throws(SigningFolderError) -> Entry {
        try check(certificate, passType: passType, team: team)
        // Those that came with the certificate before stay.
        let known = try contents().certificates.first { $0.certificate == der }?.issuers ?? []
        let issuers = issuers + known.filter { !issuers.contains($0) }
        let entry = Entry(certificate, der, issuers: issuers, keyFile, hasKey: true)
        let name = "\(certificate.keyIdentifier)-\(entry.fingerprint.prefix(16)).pem"
        let text = ([der] + issuers).map { Certificate.pem($0) }.joined()
        do throws(FileError) {
            try DurableFile(Array("\(path)/\(name)".utf8)).write(Array(text.utf8))
        } catch {
            throw .unwritable(FolderFault(error))
        }
        return entry
    }

    /// Writes a key that may be there already, and returns the name of its file.
    private func add(_ key: PrivateKey) throws(SigningFolderError) -> String {
        guard let pem = key.pem(password: nil), case let identifier = key.keyIdentifier,
            !identifier.isEmpty
        else {
            throw .notGenerated
        }
        let name = "\(identifier).key"
        guard try !names().contains(name) else { return name }
        do throws(FileError) {
            try DurableFile.makeFolder(Array(path.utf8), mode: 0o700)
            try DurableFile(Array("\(path)/\(name)".utf8)).write(mode: 0o600, replacing: false) {
                file throws(FileError) in
                try pem.write(to: file)
            }
        } catch {
            throw .unwritable(FolderFault(error))
        }
        return name
    }

    private var path: String { directory.path(percentEncoded: false) }

    private func names() throws(SigningFolderError) -> [String] {
        do throws(FileError) {
            let folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
            defer { folder.close() }
            var names: [String] = []
            try folder.forEachEntry { name, _ in
                names.append(String(streamSafe: name.indices.map { name[$0] }))
            }
            return names.sorted()
        } catch {
            guard error.code == ENOENT else { throw .unreadable(FolderFault(error)) }
            return []
        }
    }

    private func secret(in name: String) throws(SigningFolderError) -> Secret {
        do throws(FileError) {
            let file = try FileDescriptor.open("\(path)/\(name)", O_RDONLY)
            defer { file.close() }
            return try Secret(contentsOf: file, limit: 1 << 16)
        } catch {
            throw .unreadable(FolderFault(error))
        }
    }

    private func contents(of name: String) throws(SigningFolderError) -> [UInt8] {
        do throws(FileError) {
            let file = try FileDescriptor.open("\(path)/\(name)", O_RDONLY)
            defer { file.close() }
            return try ByteSource(stream: file, prefix: []).prefix(1 << 20)
        } catch {
            throw .unreadable(FolderFault(error))
        }
    }
}

/// Why the folder of keys and certificates cannot do what was asked.
///
/// ```swift
/// do {
///     _ = try SigningFolder(url).identity(for: "pass.com.example.coupon")
/// } catch SigningFolderError.noCertificate(let passType) { print("request one for \(passType)") }
/// ```
public enum SigningFolderError: Error, Sendable, Hashable {
    /// The folder or a file in it cannot be read.
    case unreadable(FolderFault)
    /// The folder or a file in it cannot be written.
    case unwritable(FolderFault)
    /// The file is not a certificate in PEM or DER.
    case notACertificate
    /// The certificate names no pass type and team, or lacks the purpose or the extension of a Pass
    /// Type ID certificate.
    case notForPasses(name: String)
    /// The certificate is for another pass type.
    case otherPassType(certificate: String, wanted: String)
    /// The certificate is of another team.
    case otherTeam(certificate: String, wanted: String)
    /// The folder has no key for the certificate: its request was made elsewhere.
    case keyMissing
    /// The folder has no certificate with a key for the pass type.
    case noCertificate(passType: String)
    /// Several fingerprints begin like this.
    case ambiguous(String)
    /// A request cannot have this mail address.
    case badEmailAddress
    /// A request cannot have this name: it is empty or too long.
    case badName
    /// Not a country code of two letters (ISO 3166).
    case badCountry
    /// OpenSSL created no key.
    case notGenerated
    /// The certificate and its key cannot sign.
    case identity(SigningIdentityError)
}
