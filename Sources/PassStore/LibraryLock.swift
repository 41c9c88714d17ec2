internal import Glibc
internal import Platform

/// A lock on the library between processes, held while a function runs or until the process ends.
///
/// SQLite's locks protect the index; this one protects the files: a file may be removed only while
/// no process is about to refer to it. Two libraries in one process exclude each other as well.
///
/// Closing the lock file, also by the end of a process, notifies other processes to look for
/// changes.
enum LibraryLock {
    enum Purpose {
        /// Opening or creating the index: exclusive among openers.
        case opening
        /// Adding files: shared.
        case adding
        /// Removing files: exclusive.
        case removing
    }

    static func hold<Value>(
        for purpose: Purpose, in directory: String, patience: Duration,
        _ body: () throws(LibraryError) -> Value
    ) throws(LibraryError) -> Value {
        let path = path(in: directory)
        let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            throw .cannotWrite(path: path, reason: .system(errno))
        }
        let file = FileDescriptor(number)
        defer { file.close() }
        do throws(FileError) {
            let deadline = ContinuousClock.now + patience
            try lock(file, turnstile, .exclusive, deadline)
            switch purpose {
            case .opening: break
            case .adding:
                try lock(file, files, .shared, deadline)
                try file.unlock(turnstile)
            case .removing: try lock(file, files, .exclusive, deadline)
            }
        } catch {
            throw error.code == EAGAIN
                ? .locked(directory) : .cannotWrite(path: path, reason: .system(error.code))
        }
        return try body()
    }

    /// Whether this process may lock the library.
    static func isPossible(in directory: String) -> Bool {
        let path = path(in: directory)
        let isThere = unsafe access(path, F_OK) == 0
        return unsafe access(isThere ? path : directory, W_OK) == 0
    }

    private static func path(in directory: String) -> String { "\(directory)/lock" }
}

/// A process waiting for exclusive access holds this byte of the lock file and blocks others.
private let turnstile = 0..<1
private let files = 1..<2

/// Waits for the lock; throws EAGAIN after the deadline.
private func lock(
    _ file: FileDescriptor, _ bytes: Range<Int>, _ kind: FileDescriptor.Lock,
    _ deadline: ContinuousClock.Instant
) throws(FileError) {
    while try !file.lock(bytes, kind) {
        guard ContinuousClock.now < deadline else { throw FileError(.lock, EAGAIN) }
        usleep(2000)
    }
}
