package import Bytes
package import Compression
package import MIME
package import MailSource
package import PassContainers
package import PassDetection
package import PassStore
package import PassVerification

/// Where to look for passes.
package enum Input: Sendable {
    case path(Path)
    /// What lies in a folder, and not what lies in the folders in it; those of a Maildir that hold its
    /// messages are no folders in this sense.
    case folder(Path)
    case standardInput
    case download(DownloadedFile)
}

/// What a run does with what it finds, and what it may cost.
package struct ImportOptions: Sendable {
    package var verifier = PassVerifier()
    /// Where passes go, and what was read is remembered; nil to look only.
    package var library: PassLibrary?
    /// Opens the library when the first pass is to be taken in, for a run that has no other use for it:
    /// what holds no such pass shall not fail for its sake.
    package var opensLibrary: (@Sendable () throws -> PassLibrary)?
    package var policy = AdmissionPolicy()
    /// How many sources, or ranges of one, are worked on at a time.
    package var jobs = 1
    package var types = TypeMap.builtIn
    package var mime = MIMELimits()
    package var containers = ContainerLimits()
    package var message = MessageLimits()
    package var spool = SpoolPolicy()
    /// How many bytes of passes one piece of work may hold in memory until they are imported.
    package var heldInMemory = 8 << 20
    /// How many events one piece of work may hold until they are reported.
    package var heldEvents = 256
    package var compression = CompressionLimits()
    /// How many pieces of messages may wait for the others.
    package var fragments = 256
    /// How much of one mbox is one piece of work, in bytes.
    package var rangeSize = 8 << 20

    /// What links to passes may cost; nil to look for none.
    package var links: LinkLimits?
    /// Whether to judge the passes that links hold themselves (`data:` URLs), for which nobody has to be
    /// asked.
    package var readsDataLinks = false
    /// Whether a file that is no mail is judged as a pass though nothing speaks for it: its person
    /// says that it is one.
    package var takesFilesForPasses = false
    /// Whether a pass that the policy admits comes out with its octets where no library takes it:
    /// who asks a person first adds it later. These passes are held until then.
    package var keepsPasses = false
    /// What was read of the standard input to see what it is.
    package var standardInputHead: [UInt8] = []
    /// Whether a pass that takes the place of another comes out with what that one said.
    package var tellsChanges = false
    /// Whether to read also what the library remembers to have been read.
    package var readsAll = false
    /// How long the clock of a file system may stand still, in nanoseconds; nil to remember nothing.
    package var settling: Int64? = FileAge.settling
    /// Below this size a mailbox that nobody named is remembered as a file like others, and read whole
    /// when it was appended to: in bytes.
    package var smallestMailbox = 256 << 10
    /// A folder that is not gone into.
    package var folderLeftOut: Path?
    /// Files that are not read, as they are being written.
    package var unfinished: Set<Path> = []
    /// How often what was read is noted, and at the end. Notes reach the disk like passes do, which
    /// takes its time.
    package var notingPause = Duration.seconds(2)
    /// Which program reads: another version may find more.
    package var program = ""
    /// Whether to add up the sizes of all files, so that progress knows its end.
    package var measures = false

    package init() {}

    /// Whether passes go anywhere.
    var imports: Bool { library != nil || opensLibrary != nil }

    /// For one who is told when a file was written, reads it some moments later, and comes back for what
    /// may have been written to since.
    package mutating func followChanges() {
        settling = FileAge.settlingOfFineClocks
        smallestMailbox = 1
    }
}

/// Which passes may enter the library.
package struct AdmissionPolicy: Sendable {
    /// What the person accepts beside trusted passes. Only intact passes can be accepted: for others
    /// the verifier makes no `VerifiedPass`.
    package var accepted: Set<Verdict>

    package init(accepting accepted: Set<Verdict> = []) {
        self.accepted = accepted
    }

    package func admits(_ verdict: Verdict) -> Bool {
        verdict == .trusted || accepted.contains(verdict)
    }
}
