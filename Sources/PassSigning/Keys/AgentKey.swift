internal import Cryptography
internal import Glibc
internal import Platform
internal import Synchronization

/// A key that ssh-agent keeps: only signatures leave the agent (the protocol of OpenSSH's
/// PROTOCOL.agent).
final class AgentKey: Sendable {
    private let publicKey: [UInt8]
    private let connection: Mutex<FileDescriptor>

    /// Finds the key of a certificate in the agent. Agents hash with SHA-384 or SHA-512 for the
    /// larger curves (RFC 5656, 6.2.1), so only RSA and P-256 can sign passes.
    ///
    /// - Parameters:
    ///   - socket: The path of the agent's socket, that of SSH_AUTH_SOCK.
    ///   - certificate: In DER.
    init(socket: String, certificate: [UInt8]) throws(SigningIdentityError) {
        guard let publicKey = Certificate(der: certificate)?.sshPublicKey,
            ["ssh-rsa", "ecdsa-sha2-nistp256"].contains(where: { kind in
                publicKey.starts(with: sshString(Array(kind.utf8)))
            })
        else { throw .unsupportedKey }
        let connection: FileDescriptor
        do throws(FileError) {
            connection = try FileDescriptor.connected(toSocket: socket)
        } catch {
            throw .agentUnavailable
        }
        do throws(SigningIdentityError) {
            guard try Self.keys(at: connection).contains(publicKey) else {
                throw .keyNotInAgent
            }
        } catch {
            connection.close()
            throw error
        }
        self.publicKey = publicKey
        self.connection = Mutex(connection)
    }

    deinit { connection.withLock { $0.close() } }

    /// A signature with SHA-256: RSA with PKCS #1 v1.5, or ECDSA in DER.
    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        let request =
            [Message.signRequest] + sshString(publicKey) + sshString(message)
            + [0, 0, 0, Self.sha256]
        let answer = connection.withLock { connection in
            try? Self.ask(connection, request)
        }
        guard var reader = answer.map({ SSHReader($0) }), reader.byte() == Message.signResponse,
            let blob = reader.string()
        else { throw .keyRefused }
        var signature = SSHReader(blob)
        guard let kind = signature.string(), let value = signature.string() else {
            throw .keyRefused
        }
        if kind.elementsEqual("rsa-sha2-256".utf8) { return value }
        var numbers = SSHReader(value)
        guard kind.starts(with: "ecdsa-sha2-".utf8), let first = numbers.string(),
            let second = numbers.string(), let signature = ecdsaDER(first, second)
        else { throw .keyRefused }
        return signature
    }

    /// The flag SSH_AGENT_RSA_SHA2_256.
    private static let sha256: UInt8 = 2
    /// The largest message that OpenSSH's agent accepts and sends, in bytes.
    private static let limit = 256 << 10

    private enum Message {
        static let requestIdentities: UInt8 = 11
        static let identitiesAnswer: UInt8 = 12
        static let signRequest: UInt8 = 13
        static let signResponse: UInt8 = 14
    }

    private static func keys(
        at connection: FileDescriptor
    ) throws(SigningIdentityError) -> [[UInt8]] {
        let answer = try? ask(connection, [Message.requestIdentities])
        guard var reader = answer.map({ SSHReader($0) }),
            reader.byte() == Message.identitiesAnswer, let count = reader.number()
        else { throw .agentUnavailable }
        var keys: [[UInt8]] = []
        for _ in 0..<count {
            guard let key = reader.string(), reader.string() != nil else { break }
            keys.append(key)
        }
        return keys
    }

    private static func ask(
        _ connection: FileDescriptor, _ request: [UInt8]
    ) throws(FileError) -> [UInt8] {
        try send(sshString(request), to: connection)
        var length = SSHReader(try read(4, from: connection))
        guard let count = length.number(), count <= limit else { throw FileError(.read, EPROTO) }
        return try read(count, from: connection)
    }

    /// An agent that ended must not end this program with SIGPIPE.
    private static func send(
        _ bytes: [UInt8], to connection: FileDescriptor
    ) throws(FileError) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return unsafe Glibc.send(
                    connection.number, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
            }
            guard count >= 0 || errno == EINTR else { throw FileError(.write, errno) }
            sent += max(0, count)
        }
    }

    private static func read(
        _ count: Int, from connection: FileDescriptor
    ) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            var result = Result<Int, FileError>.success(0)
            unsafe bytes.withUnsafeMutableBytes { space in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: space[filled...])
                result = Result { () throws(FileError) in try unsafe connection.read(into: rest) }
            }
            let got = try result.get()
            guard got > 0 else { throw FileError(.read, EPIPE) }
            filled += got
        }
        return bytes
    }
}

/// Reads the types of SSH (RFC 4251, 5).
private struct SSHReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() -> Int? {
        guard bytes.count - position >= 4 else { return nil }
        defer { position += 4 }
        return bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func string() -> [UInt8]? {
        guard let count = number(), count <= bytes.count - position else { return nil }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }
}
