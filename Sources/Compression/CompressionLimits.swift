/// What reading one compressed file may cost us. Sizes are in bytes.
package struct CompressionLimits: Sendable, Equatable {
    /// What a decoder may remember of the bytes it gave: `xz -9` asks for 65 MiB, `zstd --long=27`
    /// for 128 MiB. gzip and bzip2 never need more than 4 MiB.
    package var memory = 144 << 20
    /// Decompressed bytes for each compressed one. Mail compresses some dozens to one; a mailbox
    /// with little in it may do better, so that the ratio is asked for only above `ratioFloor`.
    package var ratio = 500
    package var ratioFloor = 1 << 30
    /// Of all decompressed bytes.
    package var total = 1 << 40

    package init() {}
}
