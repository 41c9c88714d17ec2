import Archives
package import Bytes
public import Foundation

/// Judges passes as Wallet does, by anchors, limits and a time of one's own choice.
public struct PassVerifier: Sendable {
    /// Whom it believes.
    public let anchors: TrustAnchors
    /// What judging one pass may cost.
    public let limits: VerificationLimits
    /// When the certificates have to be valid; nil for the time at which the pass was signed.
    public let time: Date?
    private let store: AnchorStore

    /// - Parameters:
    ///   - anchors: Whom to believe.
    ///   - limits: What judging one pass may cost.
    ///   - time: When the certificates have to be valid; nil for the time at which the pass was signed.
    public init(
        anchors: TrustAnchors = .apple, limits: VerificationLimits = VerificationLimits(),
        at time: Date? = nil
    ) {
        self.anchors = anchors
        self.limits = limits
        self.time = time
        store = AnchorStore(anchors)
    }

    /// Judges the bytes of a pass file.
    public func verify(_ bytes: [UInt8]) -> Verification {
        verify(SpooledBytes(bytes))
    }

    /// Judges the octets of a pass file: the questions of the verdict, in their order.
    package func verify(_ octets: SpooledBytes) -> Verification {
        let sha256: String
        do throws(FileError) {
            sha256 = try Digest.sha256(octets)
        } catch {
            return Judgement(.unreadable(error.description)).verification(of: octets, sha256: "")
        }
        var judgement = Judgement()
        if let files = judgement.readArchive(octets, limits) {
            judgement.readPass(files)
            let manifest = judgement.readManifest(files, limits)
            let signature = judgement.readSignature(files, limits, store.known)
            judgement.compare(files, with: manifest, limits)
            if let signature, let content = files.manifest {
                judgement.judge(signature, over: content, at: time, by: store)
            }
        }
        return judgement.verification(of: octets, sha256: sha256)
    }
}

extension PassVerifier {
    /// Judges a pass file.
    ///
    /// - Throws: ``UnreadableFile`` when there is nothing to judge: no such file, no permission, a
    ///   directory. A file that is no pass is malformed instead.
    public func verify(contentsOf url: URL) throws(UnreadableFile) -> Verification {
        do throws(FileError) {
            let file = try FileDescriptor.open(url.path(percentEncoded: false), O_RDONLY)
            defer { file.close() }
            let octets = try contents(of: file)
            guard octets.count > limits.archive, file.isRegular else { return verify(octets) }
            // Too large to be kept and judged, but not to be named.
            let whole = try FileDescriptor.open(url.path(percentEncoded: false), O_RDONLY)
            defer { whole.close() }
            let (sha256, count) = try Digest.sha256(whole)
            return Judgement(.archive(.archiveTooLarge(limit: limits.archive)))
                .verification(of: octets, sha256: sha256, size: count)
        } catch {
            throw UnreadableFile(path: url.path(percentEncoded: false), reason: error.description)
        }
    }

    /// Stops once there is more than the limit allows.
    private func contents(of file: FileDescriptor) throws(FileError) -> SpooledBytes {
        var writer = OctetsWriter()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while writer.count <= limits.archive {
            let got = try file.read(into: &buffer)
            guard got > 0 else { break }
            try writer.append(buffer.span.extracting(0..<got))
        }
        return try writer.finish()
    }
}

extension FileDescriptor {
    fileprivate var isRegular: Bool {
        var status = stat()
        return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

/// A file that could not be read, so that there is nothing to judge.
public struct UnreadableFile: Error, Sendable, Equatable, CustomStringConvertible {
    /// As it was given.
    public let path: String
    /// A lower-case clause without a full stop.
    public let reason: String

    /// The path and the reason.
    public var description: String { "\(path): \(reason)" }
}
