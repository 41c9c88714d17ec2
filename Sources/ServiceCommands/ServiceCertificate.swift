internal import Cryptography
internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import PassPresentation
internal import PassService
internal import PassSession
internal import ServiceLifecycle
internal import Synchronization
internal import UnixSignals

/// The certificate of the service and its private key. Both are read again at SIGHUP and when a
/// file changes. Open connections stay open; new connections use the new certificate.
final class ServiceCertificate: Service {
    private struct Pair {
        let chain: [NIOSSLCertificateSource]
        let key: NIOSSLPrivateKeySource
    }

    private let session: Session
    private let certificatePath: String
    private let keyPath: String
    private let logger: Logger
    private let pair: Mutex<Pair>
    private let stamps: Mutex<[FileStamp]>

    init(
        _ certificatePath: String, key keyPath: String, in session: Session, logger: Logger
    ) throws(CertificateFailure) {
        self.session = session
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        self.logger = logger
        stamps = Mutex([FileStamp(certificatePath), FileStamp(keyPath)])
        pair = Mutex(try Self.read(certificatePath, keyPath, in: session))
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

    /// Reads the files again if one of them changed. The certificate and the key may be replaced
    /// one after the other; the old pair stays in use until the new certificate and key match.
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
            let new = try Self.read(certificatePath, keyPath, in: session)
            pair.withLock { $0 = new }
            logger.notice("certificate read", metadata: ["file": "\(certificatePath)"])
        } catch {
            logger.error("certificate not read", metadata: ["error": "\(error.phrase.localized)"])
        }
    }

    private static func read(
        _ certificatePath: String, _ keyPath: String, in session: Session
    ) throws(CertificateFailure) -> Pair {
        let certificates: [UInt8]
        do throws(Failure) {
            certificates = try session.contents(of: certificatePath)
        } catch {
            throw .unreadable(error)
        }
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificates), !chain.isEmpty else {
            throw .noCertificate(certificatePath)
        }
        let key: NIOSSLPrivateKey?
        do throws(SecretFileError) {
            let secret = try Secret(privateFile: keyPath)
            key = unsafe secret.withUnsafeBytes { bytes in
                unsafe try? NIOSSLPrivateKey(bytes: Array(bytes), format: .pem)
            }
        } catch {
            throw .secretFile(error)
        }
        guard let key else { throw .noKey(keyPath) }
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

/// Identifies a version of a file, to detect changes. Removing the file is a change too.
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
