import Bytes
import Glibc
import MailSource

/// Where messages wait whose passes the library could not take: a Maildir, so that whatever reads mail
/// reads them too. `new` holds those that wait, `cur` those that are not tried again.
///
/// A message in it has reached the disk. One leaves it when its passes are in the library. A message that
/// crashes import or exceeds its deadline is retried, because a shortage of memory looks the same:
/// `SpoolName` counts. One that crashes import five times moves to `cur`; one that is late, after five days.
struct DeliverySpool {
    /// How many messages one run brings in, so that no mail waits for long behind others.
    private static let messagesAtOnce = 16
    /// How many of these may fail while the library takes others.
    private static let failuresAtOnce = 3
    /// How long a library that could not take one is left alone by mail without passes, in seconds.
    private static let pause = 30
    /// How long a message is tried that fails while the library takes others, in seconds: those five days
    /// that mail is tried to be sent (RFC 5321, 4.5.4.1).
    private static let patience = 432_000
    /// How old what a killed run left is when it is removed, in seconds: those 36 hours that
    /// maildir(5) gives.
    private static let age = 129_600

    private let folder: FileDescriptor
    private let waiting: FileDescriptor

    /// Opens the spool, and makes it where it is not there yet, readable by nobody else.
    init(_ path: Path) throws(FileError) {
        folder = try FileDescriptor.folder(at: path)
        do throws(FileError) {
            for name in ["tmp", "new", "cur"] { try folder.makeFolder(name) }
            waiting = try folder.open("new", O_RDONLY | O_DIRECTORY)
        } catch {
            folder.close()
            throw error
        }
    }

    /// The spool where messages already wait; nil where it is empty, or not there.
    static func holdingMessages(_ path: Path) -> DeliverySpool? {
        // A spool that cannot be made here holds nothing.
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

    /// Keeps a message until a later run.
    ///
    /// - Parameter attempts: How many attempts to bring it in failed by its own fault.
    func keep(_ message: inout SpooledMessage, attempts: Int) throws(FileError) {
        if let failure = message.failure { throw failure }
        let name = SpoolName(attempts: attempts).text
        let file = try folder.open("tmp/\(name)", O_WRONLY | O_CREAT | O_EXCL)
        defer { file.close() }
        do throws(FileError) {
            try message.passOn { piece throws(FileError) in try file.writeAll(piece) }
            try file.sync()
            try folder.rename("tmp/\(name)", to: "new/\(name)")
            try waiting.sync()
        } catch {
            folder.remove("tmp/\(name)")
            throw error
        }
    }

    /// Brings in what waits, the oldest first. What fails goes to the end of the queue, so that it is in
    /// nobody's way.
    ///
    /// - Parameters:
    ///   - isLibraryWell: Whether the library is known to take passes now. If not, the first failure is
    ///     the last.
    ///   - lastStart: After it no further message is begun.
    ///   - tell: Is told what can never be brought in.
    func drain(
        isLibraryWell: Bool, lastStart: Deadline, tell: (String) -> Void,
        _ bringIn: (FileDescriptor) -> Importer.Exit
    ) {
        guard let lock = try? folder.open("lock", O_RDWR | O_CREAT) else { return }
        defer { lock.close() }
        // Another run holds the lock and drains the whole spool.
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
                tell("\(name.text) waits and cannot be read")
                continue
            }
            defer { file.close() }
            tried += 1
            let outcome = bringIn(file)
            switch outcome {
            case .done: waiting.remove(name.text)
            case .broken, .late:
                let attempts = name.attempts + 1
                // A library in use may be why import was late: only time tells.
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
        // Its length says whether the last attempt failed, its time when.
        _ = ftruncate(lock.number, 0)
        if failures > 0 { _ = unsafe Glibc.write(lock.number, "!", 1) }
    }

    private func setAside(_ name: SpoolName, _ tell: (String) -> Void) {
        tell("\(name.text) could not be brought in: it is kept in 'cur', and not tried again")
        try? folder.rename("new/\(name.text)", to: "cur/\(name.text):2,")
    }

    private func putLast(_ name: SpoolName, attempts: Int) {
        try? folder.rename("new/\(name.text)", to: "new/\(SpoolName(attempts: attempts).text)")
    }

    /// The names of the messages that wait, the oldest first.
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
