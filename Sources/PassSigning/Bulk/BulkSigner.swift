internal import Dispatch
public import Foundation
internal import PassVerification
internal import Synchronization

/// Signs a template with rows of data, on several processors. Files that the passes have in common
/// are hashed and compressed once.
///
/// ```swift
/// let bulk = try BulkSigner(PassSigner(identity), PassTemplate(folder))
/// let rows = [TemplateRow(line: 1, ["serialNumber": "42", "seat": "A7"])]
/// for result in bulk.passes(for: rows) { print(try result.get().bytes.count) }
/// ```
public final class BulkSigner: Sendable {
    private let signer: PassSigner
    private let template: PassTemplate
    private let images: ImageFolder?
    private let certificates: SigningCertificates?
    private let packer: PassPacker
    private let workers: Int

    /// Creates a signer for a template.
    ///
    /// For example: `let bulk = try BulkSigner(signer, PassTemplate(folder), workers: 2)`
    ///
    /// - Parameters:
    ///   - signer: The identity, and the verifier that each pass must satisfy.
    ///   - template: The files of the passes.
    ///   - images: The folder of the images that rows name.
    ///   - workers: The number of threads; by default that of the processors.
    /// - Throws: ``SigningError/outOfMemory`` if there is not enough memory for the shared files.
    public init(
        _ signer: PassSigner, _ template: PassTemplate, images: ImageFolder? = nil,
        workers: Int = ProcessInfo.processInfo.activeProcessorCount
    ) throws(SigningError) {
        self.signer = signer
        self.template = template
        self.images = images
        certificates = signer.identity.certificates
        self.workers = max(1, workers)
        packer = try PassPacker(sharing: template.shared)
    }

    /// Checks a pass for each row, signs it and verifies it. The results are in the order of the rows.
    ///
    /// ```swift
    /// let bulk = try BulkSigner(signer, PassTemplate(folder))
    /// for case .success(let pass) in bulk.passes(for: [row]) { print(pass.bytes.count) }
    /// ```
    ///
    /// - Parameters:
    ///   - rows: The values of each pass.
    ///   - time: The signing time, in whole seconds.
    public func passes(
        for rows: [TemplateRow], at time: Date = .now
    ) -> [Result<SignedPass, RowError>] {
        map(rows) { row, _ in self.pass(for: row, at: time).map(\.pass) }
    }

    /// Checks a pass for each row, signs it and verifies it, and hands each to `body`, on several
    /// threads at once. The results are in the order of the rows.
    package func passes<Output: Sendable>(
        for rows: [TemplateRow], at time: Date,
        _ body: @Sendable (_ index: Int, Result<RowPass, RowError>) -> Output
    ) -> [Output] {
        map(rows) { row, index in body(index, self.pass(for: row, at: time)) }
    }

    /// The archives without verification, to measure what signing alone takes. Each is handed to
    /// `body`, on several threads at once.
    package func unverifiedPasses<Output: Sendable>(
        for rows: [TemplateRow], at time: Date,
        _ body: @Sendable (_ index: Int, Result<[UInt8], RowError>) -> Output
    ) -> [Output] {
        map(rows) { row, index in
            body(index, Result { () throws(RowError) in try self.unverified(row, at: time) })
        }
    }

    private func pass(for row: TemplateRow, at time: Date) -> Result<RowPass, RowError> {
        Result { () throws(RowError) in
            let files = try files(for: row)
            let findings = lint(files, at: time)
            let mistakes = findings.filter { $0.severity == .error }
            guard mistakes.isEmpty else { throw .mistakes(mistakes) }
            do throws(SigningError) {
                let bytes = try signer.unverified(files, packedBy: packer, at: time)
                return RowPass(
                    pass: try signer.verified(bytes),
                    warnings: findings.filter { files[$0.file] != nil })
            } catch {
                throw .signing(error)
            }
        }
    }

    /// The linter's warnings about what the passes have in common: certificates, and files that are
    /// the same for each row.
    ///
    /// - Parameter row: A row whose values fill the template.
    package func sharedWarnings(
        with row: TemplateRow, at time: Date = .now
    ) throws(RowError) -> [LintFinding] {
        let files = try files(for: row)
        return lint(files, at: time).filter { $0.severity == .warning && files[$0.file] == nil }
    }

    private func lint(_ files: [String: [UInt8]], at time: Date) -> [LintFinding] {
        let folder = PassFolder(template.shared.merging(files) { $1 })
        return PassLint(folder, certificates: certificates, at: time).findings
    }

    private func unverified(_ row: TemplateRow, at time: Date) throws(RowError) -> [UInt8] {
        let files = try files(for: row)
        do throws(SigningError) {
            return try signer.unverified(files, packedBy: packer, at: time)
        } catch {
            throw .signing(error)
        }
    }

    private func files(for row: TemplateRow) throws(RowError) -> [String: [UInt8]] {
        do throws(RowFault) {
            return try template.files(for: row, images: images)
        } catch {
            throw .row(error)
        }
    }

    /// Each thread takes the next row that no other has taken.
    private func map<Output: Sendable>(
        _ rows: [TemplateRow], _ body: @Sendable (TemplateRow, _ index: Int) -> Output
    ) -> [Output] {
        let next = Atomic<Int>(0)
        let results = Mutex<[Output?]>(Array(repeating: nil, count: rows.count))
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < rows.count else { return }
                let output = body(rows[index], index)
                results.withLock { $0[index] = output }
            }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}

/// The pass of a row.
package struct RowPass: Sendable {
    package let pass: SignedPass
    /// The linter's warnings about the files that differ from row to row.
    package let warnings: [LintFinding]
}

/// Why there is no pass for a row.
///
/// ```swift
/// let results = try BulkSigner(signer, PassTemplate(folder)).passes(for: [row])
/// for case .failure(.mistakes(let findings)) in results { print(findings.map(\.fault.rule)) }
/// ```
public enum RowError: Error, Sendable, Hashable {
    /// The row is unusable.
    case row(RowFault)
    /// The pass has mistakes that are errors.
    case mistakes([LintFinding])
    /// The pass was not signed, or would not be trusted.
    case signing(SigningError)
}
