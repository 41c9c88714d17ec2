/// Limits for one message, or for a file that is not mail. When one is exceeded, a problem is
/// reported and reading continues with the next message.
package struct MessageLimits: Sendable {
    /// CPU time in seconds, and in seconds per MiB of the message. A normal message takes about 5
    /// ms per MiB.
    package var seconds = 20.0
    package var secondsPerMiB = 0.25
    /// The amount decoded, inflated, verified and searched, in bytes, and in bytes per byte of the
    /// message. One part is decoded in up to ten ways.
    package var bytes = 2 << 30
    package var ratio = 64
    /// Reported passes, links and problems.
    package var reports = 10_000
    /// Malformed passes, and likewise problems, that are listed one by one; the others are counted.
    package var listed = 10
    /// Fragments of other messages (message/partial).
    package var pieces = 16
    /// Memory for decompression within the message, in bytes. The defaults of gzip, bzip2, zstd and
    /// xz need less, as does `xz -8`.
    package var decompressionMemory = 34 << 20
    /// Messages in mailboxes within one message. Mailboxes named on the command line are unlimited.
    package var messages = 10_000
    /// Entries of one archive in a message; each takes 500 bytes of memory while the archive is
    /// open.
    package var entries = 40_000

    package init() {}

    /// The CPU time limit for a message of `size` bytes, in seconds.
    func mostSeconds(_ size: Int) -> Double {
        seconds + Double(size) / Double(1 << 20) * secondsPerMiB
    }

    /// The work limit for a message of `size` bytes, in bytes.
    func mostBytes(_ size: Int) -> Int {
        let (own, isTooLarge) = size.multipliedReportingOverflow(by: ratio)
        return isTooLarge ? .max : max(bytes, own)
    }
}
