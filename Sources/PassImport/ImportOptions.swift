package import Archives
package import Bytes
package import Compression
package import Foundation
package import MIME
package import MailSource
package import PassContainers
package import PassDetection
package import PassLinks
package import PassStore
package import PassVerification

/// An input to search for passes.
package enum Input: Sendable {
    case path(Path)
    /// The files in a folder without its subfolders, except that a Maildir's messages are included.
    case folder(Path)
    case standardInput
    case download(DownloadedFile)
}

/// What a run does with passes, and its limits.
package struct ImportOptions: Sendable {
    package var verifier = PassVerifier()
    /// The library that receives passes and records what was read; nil for a scan.
    package var library: PassLibrary?
    /// Opens the library when the first pass is to be added. Used when input without passes must
    /// not fail because of the library.
    package var opensLibrary: (@Sendable () throws -> PassLibrary)?
    package var policy = AdmissionPolicy()
    /// When the versions arrive; nil for the time of the run. The same for all runs of a command, so
    /// that an archive of old mail does not look like news.
    package var arrival: Date?
    /// The number of sources, or ranges of one, processed in parallel.
    package var jobs = 1
    package var types = TypeMap.builtIn
    package var mime = MIMELimits()
    package var containers = ContainerLimits()
    package var message = MessageLimits()
    package var spool = SpoolPolicy()
    /// The size of passes that one piece of work may hold in memory before they are imported, in
    /// bytes.
    package var heldInMemory = 8 << 20
    /// The number of events that one piece of work may hold before they are reported.
    package var heldEvents = 256
    package var compression = CompressionLimits()
    package var archives = ArchiveLimits()
    /// The number of message fragments that may wait for others.
    package var fragments = 256
    /// The part of an mbox in one piece of work, in bytes.
    package var rangeSize = 8 << 20

    /// Limits for links to passes; nil to search only for `data:` URLs, which contain passes.
    package var links: LinkLimits?
    /// Whether a file that is not mail is judged as a pass without further evidence, because the
    /// user named it as one.
    package var takesFilesForPasses = false
    /// If there is no library, whether admitted passes are returned with their octets, so that they
    /// can be added after asking the user. They are held in memory or files until then.
    package var keepsPasses = false
    /// The bytes already read from standard input to recognise its format.
    package var standardInputHead: [UInt8] = []
    /// Whether a pass that replaces another one is returned with the previous version.
    package var tellsChanges = false
    /// Whether to reread sources that the library records as read.
    package var readsAll = false
    /// The longest step of the file system clock, in nanoseconds; nil to record nothing.
    package var settling: Int64? = FileAge.settling
    /// Mailboxes below this size, in bytes, that the user did not name are recorded like other
    /// files, and are reread completely after an append.
    package var smallestMailbox = 256 << 10
    /// Whether to follow links to folders that the user did not name.
    package var followsLinks = false
    /// A folder to skip.
    package var folderLeftOut: Path?
    /// The named files, which are read even if others replace them.
    package var held = HeldFiles()
    /// Files to skip because they are being written.
    package var unfinished: Set<Path> = []
    /// The interval at which notes are stored; they are also stored at the end. Notes are synced to
    /// disk like passes, which takes time.
    package var notingPause = Duration.seconds(2)
    /// The program's version. If it changes, sources are reread, since a new version may find more.
    package var program = ""
    /// Whether to sum up file sizes for progress.
    package var measures = false

    package init() {}

    /// Whether passes are imported.
    var imports: Bool { library != nil || opensLibrary != nil }

    /// Adapts the options for watching: files are read moments after they were written, and reread
    /// if they may have been modified since.
    package mutating func followChanges() {
        settling = FileAge.settlingOfFineClocks
        smallestMailbox = 1
    }
}

/// Which passes may enter the library.
package struct AdmissionPolicy: Sendable {
    /// The verdicts accepted in addition to trusted. Only intact passes can be accepted: the
    /// verifier makes no `VerifiedPass` for others.
    package var accepted: Set<Verdict>

    package init(accepting accepted: Set<Verdict> = []) {
        self.accepted = accepted
    }

    package func admits(_ verdict: Verdict) -> Bool {
        verdict == .trusted || accepted.contains(verdict)
    }
}
