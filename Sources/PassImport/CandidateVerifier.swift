import Bytes
import PassContainers
import PassDetection
import PassVerification

/// Has what is found verified, and keeps the verdict and, where it may enter the library, the pass.
struct CandidateVerifier {
    /// How many octets wait in results for their turn to be imported.
    private(set) var held = 0
    /// How many passes were reported.
    private(set) var reported = 0
    /// What everything comes from, where that was fetched.
    var download: DownloadedFile?

    private let options: ImportOptions
    /// Made when it is first asked. Belongs to one worker, as this value does.
    private var fileTypes: FileTypes?

    init(_ options: ImportOptions) {
        self.options = options
    }

    /// The results were taken, and what they hold with them.
    mutating func forgetHeld() {
        held = 0
    }

    /// Whether what is said of something says that it is a pass.
    func isClaimed(_ location: PartLocation) -> Bool {
        !options.types.evidence(location.header).isEmpty
    }

    /// Passes wait in memory while they are few, and in files when a piece of work is full of them.
    var spool: SpoolPolicy {
        var policy = options.spool
        if held > options.heldInMemory { policy.memory = 0 }
        return policy
    }

    /// What libmagic says of the bytes.
    mutating func mediaType(of octets: SpooledBytes) -> String? {
        let types = fileTypes ?? FileTypes()
        fileTypes = types
        return types.mediaType(of: octets)
    }

    mutating func verify(_ octets: SpooledBytes, _ location: PartLocation, isPass: Bool)
        -> FoundPass
    {
        let types = options.types
        var evidence = types.evidence(location.header)
        if isPass { evidence.insert(.content) }
        var verification = options.verifier.verify(octets)
        let name = types.preferredName(location.header)
        let isBroken = [name, location.part].contains(where: \.hasBrokenRun)
        if isBroken || location.message?.hasBrokenRun == true {
            verification.notes.append(.longCombiningRun)
        }
        return FoundPass(
            source: location.source, download: download, message: location.message,
            part: location.part,
            name: name,
            mediaType: types.preferredMediaType(location.header), evidence: evidence,
            verification: verification,
            otherType: isPass ? nil : otherType(of: octets))
    }

    /// What can be said of something that is no pass, mostly by libmagic. That it is a ZIP archive, or
    /// bytes, tells a person nothing.
    private mutating func otherType(of octets: SpooledBytes) -> String? {
        if octets.isEmpty { return "an empty file" }
        guard let type = mediaType(of: octets), type != "application/zip",
            type != "application/octet-stream"
        else { return nil }
        return type
    }

    /// Who only looks keeps no passes: a run finds more of them than memory holds.
    mutating func report(_ found: FoundPass, into events: inout [Event]) {
        var found = found
        // Only who asks about a file is told each question; a run has many passes waiting.
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
