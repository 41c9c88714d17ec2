internal import Dispatch
public import Foundation
public import PassModel
public import PassSigning
internal import PassVerification

/// Signs the passes of templates at their first request, and stores the result, so that all later
/// responses for a version have the same bytes, whichever server signed it.
///
/// ```swift
/// let signer = TemplateSigner(store) { passType in passSigner }
/// let responder = ServiceResponder(store, signer: signer)
/// ```
public final class TemplateSigner: Sendable {
    private let store: ServiceStore
    private let signers: Signers
    private let templates = Templates()
    private let work: Work

    /// Creates a signer.
    ///
    /// For example: `let signer = TemplateSigner(store, workers: 2) { _ in passSigner }`
    ///
    /// - Parameters:
    ///   - store: The published passes.
    ///   - workers: The maximum number of passes to sign at the same time; by default the number of
    ///     processors.
    ///   - signer: Opens the certificate and key of a pass type. It is called again after an error,
    ///     since the certificate may have been renewed.
    public init(
        _ store: ServiceStore, workers: Int = ProcessInfo.processInfo.activeProcessorCount,
        signer: @escaping @Sendable (_ passType: String) throws -> PassSigner
    ) {
        self.store = store
        signers = Signers(open: signer)
        work = Work(limit: max(1, workers))
    }

    /// The published version of a pass and its file, which is signed first if necessary; nil if the
    /// pass was never published.
    ///
    /// ```swift
    /// let signer = TemplateSigner(store) { _ in passSigner }
    /// let size = try await signer.file(of: identity)?.bytes.count
    /// ```
    ///
    /// - Throws: ``ServiceError/cannotSign(_:_:)``, ``ServiceError/noSigner(passType:message:)``,
    ///   or an error of the database.
    public func file(
        of identity: PassIdentity
    ) async throws(ServiceError) -> (pass: PublishedPass, bytes: [UInt8])? {
        // A version may be replaced while it is signed.
        for _ in 0..<10 {
            switch try await store.currentVersion(of: identity) {
            case nil: return nil
            case .signed(let pass, let bytes): return (pass, bytes)
            case .unsigned(let tag):
                do {
                    // Waiting work does not hold the images of its pass.
                    try await work.once(tag) { try await self.sign(tag, of: identity) }
                } catch {
                    // Other errors are about the files of the pass: the row was checked when it was
                    // published.
                    throw error as? ServiceError ?? .cannotSign(identity, error as? SigningError)
                }
            }
        }
        throw .locked(store.place)
    }

    private func sign(_ tag: Int64, of identity: PassIdentity) async throws {
        // Nil if the version was replaced or signed meanwhile.
        guard let version = try await store.unsignedVersion(tag, of: identity),
            let template = try await templates.template(version.template, in: store)
        else { return }
        let signer = try await signers.signer(for: identity.passTypeIdentifier)
        let signed: SignedPass
        do {
            signed = try await inBackground {
                try signer.sign(try version.folder(of: template))
            }
        } catch {
            await signers.forget(identity.passTypeIdentifier)
            throw error
        }
        // A signer hands out trusted passes only.
        guard let pass = signed.verification.verified, pass.pass.identity == identity else {
            throw ServiceError.cannotSign(identity, nil)
        }
        try await store.store(pass, asVersion: tag)
    }
}

extension UnsignedVersion {
    /// The files of the pass.
    fileprivate func folder(of template: PassTemplate) throws -> PassFolder {
        let folder = try template.folder(for: TemplateRow(line: 1, values), images)
        return isVoided ? try folder.voided() : folder
    }
}

/// Runs work on a thread that may wait for files, an agent or a token.
private func inBackground<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
    }
}

/// The opened signers by pass type.
private actor Signers {
    private let open: @Sendable (String) throws -> PassSigner
    private var signers: [String: Task<PassSigner, any Error>] = [:]

    init(open: @escaping @Sendable (String) throws -> PassSigner) {
        self.open = open
    }

    func signer(for passType: String) async throws -> PassSigner {
        if let opening = signers[passType] { return try await opening.value }
        let opening = Task { [open] in
            do {
                return try await inBackground { try open(passType) }
            } catch {
                throw ServiceError.noSigner(
                    passType: passType, message: String(describing: error))
            }
        }
        signers[passType] = opening
        do {
            return try await opening.value
        } catch {
            forget(passType)
            throw error
        }
    }

    func forget(_ passType: String) {
        signers[passType] = nil
    }
}

/// The most recently used templates, by their numbers in the store.
private actor Templates {
    private static let limit = 8
    private var templates: [Int64: PassTemplate] = [:]

    /// Nil if the store has no such template.
    func template(_ number: Int64, in store: ServiceStore) async throws -> PassTemplate? {
        if let template = templates[number] { return template }
        guard let template = try await store.template(number) else { return nil }
        if templates.count >= Self.limit { templates = [:] }
        templates[number] = template
        return template
    }
}

/// Runs each piece of work only once at a time, and limits how many run concurrently.
private actor Work {
    private let limit: Int
    private var running: [Int64: Task<Void, any Error>] = [:]
    private var count = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Waits for the work with this number, and starts it if it is not running. The work continues
    /// if the caller is cancelled.
    func once(_ number: Int64, _ body: @escaping @Sendable () async throws -> Void) async throws {
        if let task = running[number] { return try await task.value }
        let task = Task {
            await begin()
            defer { end(number) }
            try await body()
        }
        running[number] = task
        try await task.value
    }

    private func begin() async {
        if count < limit {
            count += 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func end(_ number: Int64) {
        running[number] = nil
        // Passes the free place to the longest waiter.
        if waiting.isEmpty { count -= 1 } else { waiting.removeFirst().resume() }
    }
}
