import Glibc
import MailSource

/// Asks the system for files before they are read, where their bytes have to come from a disk.
///
/// Small files are read one by one, and a disk that can bring sixty at a time brings one: 20,000 messages
/// of a Maildir took 6.8 s from a cold cache, and take 2.0 s when each that is slow to come has those
/// behind it asked for. Where they are in memory, asking would cost a third of the reading itself. (Of
/// one large file the system reads ahead by itself, as far as the disk allows.)
struct ReadAhead {
    private var hasAsked = false
    private var start: ContinuousClock.Instant?

    /// How long a file in memory takes to be opened and its first bytes to be read, at the most.
    private static let patience = Duration.microseconds(100)

    /// A file is about to be opened.
    mutating func begin() {
        start = hasAsked ? nil : .now
    }

    /// The first bytes of the file are here; `rest` are those that follow.
    mutating func noteArrival(before rest: some Sequence<SourceWalk.Step>) {
        guard let start, ContinuousClock.now - start > ReadAhead.patience else { return }
        hasAsked = true
        for case .file(let file) in rest { file.askFor() }
    }
}
