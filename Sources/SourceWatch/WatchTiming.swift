/// Delays and limits of watching.
package struct WatchTiming: Sendable {
    /// The time without changes after which a burst of changes counts as ended.
    package var quiet = Duration.milliseconds(500)
    /// The time after its first change at which a longer burst is read.
    package var patience = Duration.seconds(5)
    /// The pause after a rescan, as a multiple of its duration, up to `longestRest`: a folder may
    /// contain a million messages.
    package var restFactor = 4
    package var longestRest = Duration.seconds(300)
    /// The interval of complete rescans, since some file systems do not report changes.
    package var interval = Duration.seconds(900)
    /// The interval if the system does not report all changes.
    package var intervalUntold = Duration.seconds(60)
    /// The minimum interval, as a multiple of the duration of a complete rescan.
    package var sweepFactor = 10
    /// The delay before a failed rescan is repeated; it doubles with each failure, up to
    /// `longestRetry`.
    package var retry = Duration.seconds(5)
    package var longestRetry = Duration.seconds(300)
    /// The interval at which the roots are checked.
    package var search = Duration.seconds(5)
    /// The number of pending rescans beyond which everything is read.
    package var places = 4096
    /// The number of files tracked as being written.
    package var unfinished = 10_000
    /// The time without writes after which a new file counts as complete.
    package var unclosed = Duration.seconds(5)
    /// The time after which a file is read even if its writer has not closed it.
    package var longestUnclosed = Duration.seconds(120)
    /// The number of links to files whose target folders are watched.
    package var links = 256
    /// The number of times that events are read before they are acted on.
    package var looks = 64

    package init() {}
}
