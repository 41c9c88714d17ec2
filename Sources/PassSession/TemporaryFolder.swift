import Bytes
internal import Foundation
internal import Glibc
internal import MailSource
package import Platform

/// A private folder, locked while this process lives.
package struct TemporaryFolder: Sendable {
    package let path: String
    /// Nil if the file system does not support locks.
    private let lock: FileDescriptor?

    private static let lockName = "lock"

    /// Creates a folder in the first of these places that allows it. Folders left by killed
    /// processes are removed once they are `age` seconds old.
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

    /// Removes the folder with its content.
    package func remove() {
        TemporaryFolder.empty(path)
        // A fetching process may have created another file in the meantime.
        if (try? FileManager.default.removeItem(atPath: path)) == nil {
            try? FileManager.default.removeItem(atPath: path)
        }
        lock?.close()
    }

    /// Removes all but the lock file, so that an interrupted removal is recognised and completed
    /// later.
    private static func empty(_ folder: String) {
        let names = (try? FileDescriptor.names(in: folder)) ?? []
        for name in names where name != lockName {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    private static func lock(_ folder: String) -> FileDescriptor? {
        let draft = "\(folder)/\(lockName).new"
        guard let file = try? open(Path(draft), O_RDWR | O_CREAT | O_EXCL) else { return nil }
        // Named only once it is locked, so that no other process sees it unlocked.
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0,
            unsafe rename(draft, "\(folder)/\(lockName)") == 0
        else {
            file.close()
            return nil
        }
        return file
    }

    /// Removes folders with this prefix that are not in use.
    private static func sweep(_ prefix: String, in place: String, after age: Int) {
        let names = (try? FileDescriptor.names(in: place)) ?? []
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
