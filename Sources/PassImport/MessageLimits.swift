/// Limits for one message, or for a file that is none. When one is exceeded, a problem is reported and the
/// next message is read.
package struct MessageLimits: Sendable {
    /// Processor time, in seconds, and in seconds for each MiB of the message. An honest message takes
    /// some 5 ms for each MiB.
    package var seconds = 20.0
    package var secondsPerMiB = 0.25
    /// What may be decoded, inflated, verified and searched, in bytes, and in bytes for each byte of the
    /// message. One part is decoded in up to ten ways.
    package var bytes = 2 << 30
    package var ratio = 64
    /// Passes, links and problems that are reported.
    package var reports = 10_000
    /// Pieces of other messages (message/partial).
    package var pieces = 16
    /// Memory to decompress something in the message, in bytes. All that gzip, bzip2, zstd and xz write by
    /// default needs less, up to `xz -8`.
    package var decompressionMemory = 34 << 20
    /// Messages in the mailboxes that lie in one message. Mailboxes named on the command line have no limit.
    package var messages = 10_000
    /// Entries of one archive in a message: each takes 500 bytes of memory while the archive is open.
    package var entries = 40_000

    package init() {}

    /// How much processor time a message of `size` bytes may take, in seconds.
    func mostSeconds(_ size: Int) -> Double {
        seconds + Double(size) / Double(1 << 20) * secondsPerMiB
    }

    /// How many bytes may be decoded, inflated, verified and searched for a message of `size` bytes.
    func mostBytes(_ size: Int) -> Int {
        let (own, isTooLarge) = size.multipliedReportingOverflow(by: ratio)
        return isTooLarge ? .max : max(bytes, own)
    }
}
