/// Limits for reading one compressed file. Sizes are in bytes.
package struct CompressionLimits: Sendable, Equatable {
    /// The window of a decoder: `xz -9` needs 65 MiB, `zstd --long=27` 128 MiB, gzip and bzip2 at
    /// most 4 MiB.
    package var memory = 144 << 20
    /// Decompressed bytes per compressed byte. Mail compresses by a factor of some dozens, a nearly
    /// empty mailbox by more, so the ratio applies only above `ratioFloor`.
    package var ratio = 500
    package var ratioFloor = 1 << 30
    /// The total of decompressed bytes.
    package var total = 1 << 40

    package init() {}
}
