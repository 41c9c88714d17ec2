package import Bytes
internal import Foundation
internal import Glibc
internal import MailSource

/// A new folder that nobody else can look into, in use as long as this process lives.
package struct TemporaryFolder: Sendable {
    package let path: String
    /// Nil where the file system has no locks.
    private let lock: FileDescriptor?

    private static let lockName = "lock"

    /// In the first of these places that can have one. What is left there of processes that were killed
    /// is removed, once it is so many seconds old.
    package init(
        named prefix: String, in places: [String], sweepingAfter age: Int = 0
    ) throws(FileError) {
        var failure = FileError(.makeFolder, ENOENT)
        for place in places {
            var template = Array("\(place)/\(prefix)XXXXXX".utf8CString)
            let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
                guard let base = buffer.baseAddress, let name = unsafe mkdtemp(base) else {
                    return nil
                }
                return unsafe String(cString: name)
            }
            if let made {
                path = made
                lock = TemporaryFolder.lock(made)
                TemporaryFolder.sweep(prefix, in: place, after: age)
                return
            }
            failure = FileError(.makeFolderIn(place), errno)
        }
        throw failure
    }

    /// With all that is in it.
    package func remove() {
        TemporaryFolder.empty(path)
        // Who fetches may have begun another file just then.
        if (try? FileManager.default.removeItem(atPath: path)) == nil {
            try? FileManager.default.removeItem(atPath: path)
        }
        lock?.close()
    }

    /// Removes what is in it but its lock: what is left where this is interrupted can be known and swept.
    private static func empty(_ folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name != lockName {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    private static func lock(_ folder: String) -> FileDescriptor? {
        let draft = "\(folder)/\(lockName).new"
        guard let file = try? open(Path(draft), O_RDWR | O_CREAT | O_EXCL) else { return nil }
        // It has its name only now, so that nobody finds it unlocked.
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0,
            unsafe rename(draft, "\(folder)/\(lockName)") == 0
        else {
            file.close()
            return nil
        }
        return file
    }

    /// Removes folders of this kind that are not in use.
    private static func sweep(_ prefix: String, in place: String, after age: Int) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let ending = name.dropFirst(prefix.count).utf8
            guard ending.count == 6, ending.allSatisfy(\.isLetterOrDigit) else { continue }
            removeUnused("\(place)/\(name)", after: age)
        }
    }

    private static func removeUnused(_ folder: String, after age: Int) {
        var status = stat()
        guard unsafe lstat(folder, &status) == 0, status.st_mode == S_IFDIR | 0o700,
            status.st_uid == geteuid(), age == 0 || status.st_mtim.tv_sec <= time(nil) - age,
            let file = try? FileDescriptor.open(
                "\(folder)/\(lockName)", O_RDWR | O_NOFOLLOW | O_NONBLOCK)
        else { return }
        defer { file.close() }
        guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            flock(file.number, LOCK_EX | LOCK_NB) == 0
        else { return }
        empty(folder)
        try? FileManager.default.removeItem(atPath: folder)
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
