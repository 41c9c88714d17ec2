/// Limits for reading one compressed file. Sizes are in bytes.
package struct CompressionLimits: Sendable, Equatable {
    /// The memory of a decoder, mostly for its window: `xz -9` needs 65 MiB, `zstd --long=28` and
    /// `xz --lzma2=dict=256MiB` 257 MiB, gzip and bzip2 at most 4 MiB.
    package var memory = 288 << 20
    /// Decompressed bytes per compressed byte. Mail compresses by a factor of some dozens, a nearly
    /// empty mailbox by more, so the ratio applies only above `ratioFloor`.
    package var ratio = 500
    package var ratioFloor = 1 << 30
    /// The total of decompressed bytes.
    package var total = 1 << 40

    package init() {}
}
