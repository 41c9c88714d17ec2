import Glibc
import MailSource

/// Whether the times of a file are old enough to reveal later writes.
///
/// File system clocks advance in steps of some milliseconds, that of FAT in steps of two seconds: a
/// file changed just now can change again without a new time. (Git calls such files racily clean.)
/// Such a file is read again next time.
struct FileAge {
    /// The start of the run, before any file was examined, in nanoseconds since 1970.
    private let now: Int64
    private let settling: Int64

    /// The longest step of a file system clock, in nanoseconds.
    static let settling: Int64 = 3_000_000_000
    /// The longest step of clocks that show fractions of a second, in nanoseconds.
    static let settlingOfFineClocks: Int64 = 100_000_000

    init(settling: Int64) {
        self.settling = settling
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        now = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    func isSettled(_ stamp: FileStamp) -> Bool {
        // A fraction of a second shows a fine clock.
        let isCoarse = settling > 0 && stamp.changed % 1_000_000_000 == 0
        let settling = isCoarse ? max(settling, FileAge.settling) : settling
        // The change time is in the future only if the system clock was set; the modification time
        // may be, since owners can set it.
        let (age, ageOfBytes) = (now &- stamp.changed, now &- stamp.modified)
        return age > settling && (ageOfBytes > settling || ageOfBytes < -settling)
    }
}
