import Bytes
import PassContainers
import PassDetection
import PassVerification

/// Verifies candidates, and keeps the verdict and, if the pass may enter the library, the pass.
struct CandidateVerifier {
    /// The size of passes in results waiting to be imported, in bytes.
    private(set) var held = 0
    /// The number of passes reported.
    private(set) var reported = 0
    /// The download that contains the candidates, if they were fetched.
    var download: DownloadedFile?

    private let options: ImportOptions
    /// Created on first use. Belongs to one worker, as this value does.
    private var fileTypes: FileTypes?

    init(_ options: ImportOptions) {
        self.options = options
    }

    /// Called after the results, and the passes in them, were taken.
    mutating func forgetHeld() {
        held = 0
    }

    /// Stores passes in memory until there are many, then in files.
    var spool: SpoolPolicy {
        var policy = options.spool
        if held > options.heldInMemory { policy.memory = 0 }
        return policy
    }

    /// The media type according to libmagic.
    mutating func mediaType(of octets: SpooledBytes) -> String? {
        let types = fileTypes ?? FileTypes()
        fileTypes = types
        return types.mediaType(of: octets)
    }

    mutating func verify(_ candidate: Candidate) -> FoundPass {
        let location = candidate.location
        var verification = options.verifier.verify(candidate.octets)
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

    /// A description of a file that is not a pass, usually from libmagic; nil if that would only be
    /// ZIP or unknown data.
    private mutating func otherType(of octets: SpooledBytes) -> FileType? {
        if octets.isEmpty { return .empty }
        guard let type = mediaType(of: octets), type != "application/zip",
            type != "application/octet-stream"
        else { return nil }
        return .media(type)
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
