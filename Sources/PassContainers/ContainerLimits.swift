package import Archives

/// What opening a container may cost. Apple's bundles hold at most 10 passes and 150 MB; the archives
/// that people make have no such bound.
package struct ContainerLimits: Sendable {
    package var archive: ZipLimits
    /// Of a container and those within it, together.
    package var members = 10_000
    /// In the directories of all these archives together: each is looked at, whatever it is.
    package var entries = 200_000
    /// Of all these members, inflated, in bytes, and of what is inflated to verify the passes among them
    /// beyond `verifiedRatio`.
    package var total = 512 << 20
    /// How many times as large as a file on disk the members in it may be together, where that is
    /// more than `total`.
    package var ratio = 50
    /// How many bytes of a file on disk allow for one member, where those are more than `members`.
    package var memberSize = 256
    /// How many times its size a pass may inflate to when it is verified before that counts. Real ones
    /// inflate to no more than three times theirs.
    package var verifiedRatio = 4
    /// Containers within one another.
    package var depth = 5
    /// An archive on standard input, which has to be kept to be read, in bytes.
    package var standardInput = 160 << 20

    package init() {
        archive = ZipLimits()
        // An archive on disk is not held in memory, whatever its size.
        archive.archive = 1 << 40
        archive.entries = 100_000
        archive.directory = 32 << 20
        archive.entry = total
        archive.total = total
    }
}
