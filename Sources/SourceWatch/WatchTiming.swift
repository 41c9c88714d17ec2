/// How soon, and how often, what is watched is read.
package struct WatchTiming: Sendable {
    /// When nothing has happened for so long, a burst of changes is over.
    package var quiet = Duration.milliseconds(500)
    /// A burst that goes on is read so long after its first change.
    package var patience = Duration.seconds(5)
    /// The pause after a reading is so many times as long as the reading was, and no longer than the
    /// longest: a folder may hold a million mails.
    package var restFactor = 4
    package var longestRest = Duration.seconds(300)
    /// After so long everything is read: not every file system tells of changes.
    package var interval = Duration.seconds(900)
    /// The same where the system does not tell of all changes.
    package var intervalUntold = Duration.seconds(60)
    /// The interval is at least so many times as long as reading everything took.
    package var sweepFactor = 10
    /// What could not be kept is read again after so long; after twice as long the next time, and so on
    /// up to the longest.
    package var retry = Duration.seconds(5)
    package var longestRetry = Duration.seconds(300)
    /// So often it is looked whether each place is there, and is what it was.
    package var search = Duration.seconds(5)
    /// How many places may wait to be read by themselves; if there are more, everything is read.
    package var places = 4096
    /// How many files may be known to be in the middle of being written.
    package var unfinished = 10_000
    /// A new file that nobody has written to for so long was put there whole.
    package var unclosed = Duration.seconds(5)
    /// After so long a file is read though its writer has not closed it.
    package var longestUnclosed = Duration.seconds(120)
    /// How many links to files are followed to the folders that those are in.
    package var links = 256
    /// How often the system is asked for what happened before that is acted on.
    package var looks = 64

    package init() {}
}
