package import Archives

/// Limits for opening a container. VIOLATIONS.md, P41: Apple's bundles contain at most 10 passes
/// and 150 MB; other archives have no such limit.
package struct ContainerLimits: Sendable {
    package var archive: ZipLimits
    /// In all containers of one message. Files outside of mail have no such limit.
    package var members = 10_000
    /// Directory entries of all ZIP archives in one message. Each entry is examined.
    package var entries = 200_000
    /// Directory entries of a ZIP archive that is not within another file; each takes about 500
    /// bytes of memory while the archive is open.
    package var sourceEntries = 2_000_000
    /// The size of such a directory, in bytes.
    package var sourceDirectory = 256 << 20
    /// The inflated size of all members, in bytes, plus the excess over `verifiedRatio` when
    /// verifying passes among them.
    package var total = 512 << 20
    /// For a file on disk, the inflated size of its members may be this many times its size, if
    /// that is more than `total`.
    package var ratio = 50
    /// Inflating a pass for verification does not count up to this many times its size. Real passes
    /// inflate to at most three times their size.
    package var verifiedRatio = 4
    /// The folders of an archive that is read once which are held until it is known whether they
    /// are unpacked passes, in bytes.
    package var unpackedPasses = 32 << 20
    /// The size of a PDF file that is searched for attachments although nobody named it, in bytes.
    /// Folders are full of such files.
    package var document = 64 << 20
    /// Nested containers.
    package var depth = 5
    /// The size of an archive on standard input, in bytes; it must be stored before it can be read.
    package var standardInput = 160 << 20

    package init() {
        archive = ZipLimits()
        // An archive on disk is not held in memory.
        archive.archive = 1 << 40
        archive.entries = 100_000
        archive.directory = 32 << 20
        archive.entry = total
        archive.total = total
    }
}
