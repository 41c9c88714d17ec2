/// The bytes of a download's file that are locked, with open file description locks, which end with
/// the process.
///
/// If the process that has claimed a file is killed, the program that writes it may run for a
/// moment longer. No process can claim the file until it has stopped.
package enum DownloadLock {
    /// Locked by the process whose queue has claimed the download.
    package static let claim = 0..<1
    /// Locked by the program that writes the file, `passconduit-fetch`.
    package static let writing = 1..<2
    package static let both = 0..<2
}
