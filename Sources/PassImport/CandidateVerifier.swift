import Archives
import Bytes
import PassContainers
import PassDetection
import PassVerification

/// Verifies candidates, and keeps the verdict and, if the pass may enter the library, the pass.
struct CandidateVerifier {
    /// The size of passes in results waiting to be imported, in bytes.
    private(set) var held = 0
    /// The number of passes reported, and of parts reported as unread.
    private(set) var reported = 0
    /// The download that contains the candidates, if they were fetched.
    private var download: DownloadedFile?

    private let options: ImportOptions
    /// Created on first use. Belongs to one worker, as this value does.
    private var fileTypes: FileTypes?

    init(_ options: ImportOptions) {
        self.options = options
    }

    /// Begins a source; `download` is set if it was fetched.
    mutating func begin(download: DownloadedFile?) { self.download = download }

    /// Called after the results, and the passes in them, were taken.
    mutating func forgetHeld() {
        held = 0
    }

    /// Called after a part was reported as unread, which may be a pass.
    mutating func noteUnread() { reported += 1 }

    /// Stores passes in memory until there are many, then in files.
    var spool: SpoolPolicy {
        var policy = options.spool
        if held > options.heldInMemory { policy.memory = 0 }
        return policy
    }

    /// Verifies a candidate, in an archive that is open already if it is a pass by its contents.
    mutating func verify(_ candidate: Candidate, _ archive: ZipArchive?) -> FoundPass {
        let location = candidate.location
        var verification =
            archive.map(options.verifier.verify) ?? options.verifier.verify(candidate.octets)
        let name = options.types.preferredName(location.header)
        let isBroken = [name, location.part].contains(where: \.hasBrokenRun)
        if isBroken || location.message?.hasBrokenRun == true {
            verification.notes.append(.longCombiningRun)
        }
        return FoundPass(
            source: location.source, download: download, message: location.message,
            part: location.part, name: name,
            mediaType: options.types.preferredMediaType(location.header),
            evidence: candidate.evidence, verification: verification,
            otherType: candidate.evidence.contains(.content) ? nil : otherType(of: candidate.octets)
        )
    }

    /// The type of a file that is not a pass; nil if it is unknown, or only that of an archive, as
    /// a pass is.
    private mutating func otherType(of octets: SpooledBytes) -> FileType? {
        let types = fileTypes ?? FileTypes()
        fileTypes = types
        let type = types.type(of: octets)
        return type == .unknown || type == .media("application/zip") ? nil : type
    }

    /// Reports a pass. A scan drops its bytes, since there may be more passes than fit in memory.
    mutating func report(_ found: FoundPass, into events: inout [Event]) {
        var found = found
        // Individual checks are only needed for files that the user asked about; they take memory.
        if !options.takesFilesForPasses { found.verification.checks = [] }
        let isKept =
            (options.imports || options.keepsPasses)
            && options.policy.admits(found.verification.verdict)
        if !isKept { found.verification.verified = nil }
        if let pass = found.verification.verified { held += pass.size }
        reported += 1
        events.append(.pass(found))
    }
}
