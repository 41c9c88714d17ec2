import Glibc
import MailSource

/// Whether the times of a file would tell if it was written to after it was looked at.
///
/// A clock of a file system stands still for some milliseconds, that of FAT for two seconds: a file
/// that was changed just now can be changed again and bear the same times. (Git calls such files
/// racily clean.) It is read again the next time.
struct FileAge {
    /// When the run began, before any file was looked at: in nanoseconds since 1970.
    private let now: Int64
    private let settling: Int64

    /// How long the clocks of file systems may stand still, in nanoseconds.
    static let settling: Int64 = 3_000_000_000
    /// How long those may that show fractions of a second.
    static let settlingOfFineClocks: Int64 = 100_000_000

    init(settling: Int64) {
        self.settling = settling
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        now = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    func isSettled(_ stamp: FileStamp) -> Bool {
        // A fraction of a second comes of a clock that does not stand still for seconds.
        let isCoarse = settling > 0 && stamp.changed % 1_000_000_000 == 0
        let settling = isCoarse ? max(settling, FileAge.settling) : settling
        // The system's own time is never ahead, unless its clock was set; an owner's may be.
        let (age, ageOfBytes) = (now &- stamp.changed, now &- stamp.modified)
        return age > settling && (ageOfBytes > settling || ageOfBytes < -settling)
    }
}
