internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import PassPresentation
internal import Platform
internal import ServiceLifecycle
internal import Synchronization
internal import UnixSignals

/// The certificate of the service and its private key, which are read again at SIGHUP and when a file
/// changes. Open connections stay open; new ones get the new certificate.
final class ServiceCertificate: Service {
    private struct Pair {
        let chain: [NIOSSLCertificateSource]
        let key: NIOSSLPrivateKeySource
    }

    private let certificatePath: String
    private let keyPath: String
    private let logger: Logger
    private let pair: Mutex<Pair>
    private let stamps: Mutex<[FileStamp]>

    init(
        _ certificatePath: String, key keyPath: String, logger: Logger
    ) throws(CertificateFailure) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        self.logger = logger
        stamps = Mutex([FileStamp(certificatePath), FileStamp(keyPath)])
        pair = Mutex(try Self.read(certificatePath, keyPath))
    }

    var configuration: TLSConfiguration {
        let pair = pair.withLock(\.self)
        var configuration = Self.configuration(of: pair)
        configuration.minimumTLSVersion = .tlsv12
        configuration.sslContextCallback = { _, promise in
            let pair = self.pair.withLock(\.self)
            var current = NIOSSLContextConfigurationOverride()
            current.certificateChain = pair.chain
            current.privateKey = pair.key
            promise.succeed(current)
        }
        return configuration
    }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await _ in signals { self.reload() }
                }
                group.addTask {
                    while (try? await Task.sleep(for: .seconds(10))) != nil {
                        self.reloadIfChanged()
                    }
                }
            }
        }
    }

    /// Reads the files if one of them changed since they were last read. The certificate and the key
    /// may change one after the other; until they belong together, the old ones are used.
    func reloadIfChanged() {
        let current = [FileStamp(certificatePath), FileStamp(keyPath)]
        let isChanged = stamps.withLock { stamps in
            defer { stamps = current }
            return stamps != current
        }
        if isChanged { reload() }
    }

    private func reload() {
        do throws(CertificateFailure) {
            let new = try Self.read(certificatePath, keyPath)
            pair.withLock { $0 = new }
            logger.notice("certificate read", metadata: ["file": "\(certificatePath)"])
        } catch {
            logger.error("certificate not read", metadata: ["error": "\(error.phrase.localized)"])
        }
    }

    private static func read(
        _ certificatePath: String, _ keyPath: String
    ) throws(CertificateFailure) -> Pair {
        let certificates = try contents(of: certificatePath) { _ throws(CertificateFailure) in }
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificates), !chain.isEmpty else {
            throw .noCertificate(certificatePath)
        }
        let secret = try contents(of: keyPath) { status throws(CertificateFailure) in
            try checkOwner(of: keyPath, status)
        }
        guard let key = try? NIOSSLPrivateKey(bytes: secret, format: .pem) else {
            throw .noKey(keyPath)
        }
        let pair = Pair(chain: chain.map { .certificate($0) }, key: .privateKey(key))
        guard (try? NIOSSLContext(configuration: configuration(of: pair))) != nil else {
            throw .mismatch(certificate: certificatePath, key: keyPath)
        }
        return pair
    }

    private static func configuration(of pair: Pair) -> TLSConfiguration {
        .makeServerConfiguration(certificateChain: pair.chain, privateKey: pair.key)
    }
}

/// When a file last changed. A missing file is a change too.
private struct FileStamp: Equatable {
    let values: [Int]

    init(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            values = []
            return
        }
        values = [
            Int(truncatingIfNeeded: status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }
}

/// Only the user of the service may read a key. The group may read it too if root owns the file:
/// then the administrator chose the group, as Debian does with `ssl-cert`. In other cases a file that
/// the group can read is an accident of the umask.
private func checkOwner(of path: String, _ status: stat) throws(CertificateFailure) {
    guard status.st_uid == 0 || status.st_uid == geteuid() else { throw .foreign(path) }
    let allowed: mode_t = status.st_uid == 0 ? 0o740 : 0o700
    guard status.st_mode & 0o777 & ~allowed == 0 else { throw .open(path) }
}

/// The first megabyte of a file, which is checked after it was opened.
private func contents(
    of path: String, checking: (stat) throws(CertificateFailure) -> Void
) throws(CertificateFailure) -> [UInt8] {
    let file: Platform.FileDescriptor
    do throws(FileError) {
        file = try Platform.FileDescriptor.open(path, O_RDONLY | O_CLOEXEC)
    } catch {
        throw .unreadable(path, code: error.code)
    }
    defer { file.close() }
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else { throw .unreadable(path, code: errno) }
    try checking(status)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    do throws(FileError) {
        while bytes.count < 1 << 20 {
            let got = try file.read(into: &buffer)
            guard got > 0 else { break }
            bytes += buffer[..<got]
        }
    } catch {
        throw .unreadable(path, code: error.code)
    }
    return bytes
}
