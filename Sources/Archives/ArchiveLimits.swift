/// Limits for reading one archive. Sizes are in bytes.
package struct ArchiveLimits: Sendable, Equatable {
    /// The size of a long name or a set of attributes in a tar archive, which precede their file.
    package var attributes = 1 << 20
    /// The memory of a decoder in a 7z archive, mostly for its dictionary: 7-Zip uses at most 256
    /// MiB unless told otherwise.
    package var memory = 288 << 20
    /// The entries of a 7z archive; each takes 280 bytes of memory while the archive is open.
    package var entries = 1_000_000
    /// The directory of a 7z archive, decompressed.
    package var directory = 64 << 20
    /// Decompressed bytes per byte of the archive, above `ratioFloor`.
    package var ratio = 500
    package var ratioFloor = 1 << 30
    /// The total of decompressed bytes, with those of members that are skipped.
    package var total = 1 << 40

    package init() {}
}
