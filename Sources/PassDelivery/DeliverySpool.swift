import Glibc
import MailSource
import Platform

/// A Maildir of messages whose passes could not be added to the library, readable with any mail
/// program. `new` contains those that will be retried, `cur` those that will not.
///
/// Messages are synced to disk. A message is removed once its passes are in the library. A message
/// that crashes import or exceeds its deadline is retried, because a shortage of memory has the
/// same symptoms; `SpoolName` counts the attempts. A message moves to `cur` after it crashed import
/// five times, or exceeded its deadline for five days.
struct DeliverySpool {
    /// The number of messages imported in one run, limited so that they do not delay the current
    /// mail.
    private static let messagesAtOnce = 16
    /// The number of these that may fail while others succeed.
    private static let failuresAtOnce = 3
    /// The time after a failure in which mail without passes does not trigger an import, in
    /// seconds.
    private static let pause = 30
    /// The time for which a message is retried that fails while others succeed, in seconds: five
    /// days, as for mail (RFC 5321, 4.5.4.1).
    private static let patience = 432_000
    /// The age at which leftovers of killed runs are removed, in seconds: the 36 hours of
    /// maildir(5).
    private static let age = 129_600

    private let path: Path
    private let folder: FileDescriptor
    private let waiting: FileDescriptor

    /// Opens the spool; creates it if necessary, accessible only to the user.
    init(_ path: Path) throws(FileError) {
        self.path = path
        folder = try FileDescriptor.folder(at: path)
        do throws(FileError) {
            for name in ["tmp", "new", "cur"] { try folder.makeFolder(name) }
            waiting = try folder.open("new", O_RDONLY | O_DIRECTORY)
        } catch {
            folder.close()
            throw error
        }
    }

    /// Opens the spool if it contains messages; nil if it is empty or missing.
    static func holdingMessages(_ path: Path) -> DeliverySpool? {
        // A spool that cannot be created contains no messages either.
        guard path.isThere, let spool = try? DeliverySpool(path) else { return nil }
        if spool.names().isEmpty {
            spool.close()
            return nil
        }
        return spool
    }

    func close() {
        waiting.close()
        folder.close()
    }

    /// Stores a message for a later run.
    ///
    /// - Parameter attempts: The number of failed imports caused by the message itself.
    func keep(_ message: inout SpooledMessage, attempts: Int) throws(FileError) {
        if let failure = message.failure { throw failure }
        let name = SpoolName(attempts: attempts).text
        let file = DurableFile(
            "new/\(name)".utf8, draft: Array("tmp/\(name)".utf8), in: folder)
        try file.write(mode: 0o600) { file throws(FileError) in
            try message.passOn { piece throws(FileError) in try file.writeAll(piece) }
        }
    }

    /// Imports waiting messages, oldest first. A message that fails moves to the end of the queue.
    ///
    /// - Parameters:
    ///   - isLibraryWell: Whether the library is known to accept passes now. If not, the first
    ///     failure ends the run.
    ///   - lastStart: The time after which no further import is started.
    ///   - tell: Called with a report of each message that is no longer retried.
    func drain(
        isLibraryWell: Bool, lastStart: Deadline, tell: (DeliveryMessage) -> Void,
        _ bringIn: (FileDescriptor) -> Importer.Exit
    ) {
        guard let lock = try? folder.open("lock", O_RDWR | O_CREAT) else { return }
        defer { lock.close() }
        // If another run holds the lock, it imports all messages.
        guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else { return }
        var status = stat()
        guard unsafe fstat(lock.number, &status) == 0 else { return }
        let now = time(nil)
        let isPausing = status.st_size > 0 && now - status.st_mtim.tv_sec < DeliverySpool.pause
        guard isLibraryWell || !isPausing else { return }
        removeLeftovers(before: now - DeliverySpool.age)
        var (tried, failures) = (0, 0)
        for name in names().map({ SpoolName($0) }) where !name.isPausing(at: now) {
            guard !lastStart.hasPassed, tried < DeliverySpool.messagesAtOnce,
                failures < (isLibraryWell ? DeliverySpool.failuresAtOnce : 1)
            else { break }
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
            guard let file = try? waiting.open(name.text, flags) else {
                tell(.waitingUnreadable(spool: path, name: name.text))
                continue
            }
            defer { file.close() }
            tried += 1
            let outcome = bringIn(file)
            switch outcome {
            case .done: waiting.remove(name.text)
            case .broken, .late:
                let attempts = name.attempts + 1
                // A busy library may have delayed import, so allow more time.
                let isOld = now - file.modificationTime > DeliverySpool.patience
                let isLate = if case .late = outcome { true } else { false }
                if attempts >= SpoolName.attemptsAtMost, isOld || !isLate {
                    setAside(name, tell)
                } else {
                    putLast(name, attempts: attempts)
                }
            case .failed, .notStarted:
                failures += 1
                let isHopeless =
                    isLibraryWell && now - file.modificationTime > DeliverySpool.patience
                if isHopeless {
                    setAside(name, tell)
                } else {
                    putLast(name, attempts: name.attempts)
                }
            }
        }
        // The length of the lock file records whether the last attempt failed; its modification
        // time records when.
        _ = ftruncate(lock.number, 0)
        if failures > 0 { _ = unsafe Glibc.write(lock.number, "!", 1) }
    }

    private func setAside(_ name: SpoolName, _ tell: (DeliveryMessage) -> Void) {
        tell(.givenUp(spool: path, name: name.text))
        move(name, to: "cur/\(name.text):2,")
    }

    private func putLast(_ name: SpoolName, attempts: Int) {
        move(name, to: "new/\(SpoolName(attempts: attempts).text)")
    }

    private func move(_ name: SpoolName, to path: String) {
        try? DurableFile.move("new/\(name.text)".utf8, to: path.utf8, in: folder)
    }

    /// The names of waiting messages, oldest first.
    private func names() -> [String] { waiting.names().sorted() }

    private func removeLeftovers(before moment: time_t) {
        guard let temporary = try? folder.open("tmp", O_RDONLY | O_DIRECTORY) else { return }
        defer { temporary.close() }
        for name in temporary.names() {
            var status = stat()
            let flags = AT_SYMLINK_NOFOLLOW
            guard unsafe fstatat(temporary.number, name, &status, flags) == 0,
                status.st_mtim.tv_sec < moment
            else { continue }
            temporary.remove(name)
        }
    }
}
