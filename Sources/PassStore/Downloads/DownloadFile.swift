internal import Fetching
internal import Foundation
internal import Glibc
internal import Platform

/// The file of a download, claimed by this process. The claim is a ``DownloadLock``.
struct DownloadFile: ~Copyable, Sendable {
    let path: String
    private let descriptor: FileDescriptor

    static func name(of id: Int64) -> String { "\(id).part" }

    /// The ID of the download with this file name; nil for other names.
    static func id(named name: String) -> Int64? {
        guard name.hasSuffix(".part"), let id = Int64(name.dropLast(5)), id > 0,
            Self.name(of: id) == name
        else { return nil }
        return id
    }

    /// Claims a file; nil if another process holds it, or it does not exist and `making` is false.
    static func take(_ path: String, making: Bool) throws(FileError) -> DownloadFile? {
        while true {
            let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (making ? O_CREAT : 0)
            let number = unsafe open(path, flags, 0o600)
            guard number >= 0 else {
                let failure = FileError(.open, errno)
                if !making, failure.isAbsence { return nil }
                throw failure
            }
            let descriptor = FileDescriptor(number)
            let file = DownloadFile(path: path, descriptor: descriptor)
            guard try descriptor.lock(DownloadLock.both, .exclusive) else { return nil }
            // The previous owner may have deleted the file since it was opened. Then the name is
            // unused, or another file has it.
            guard file.hasItsName else { continue }
            try descriptor.unlock(DownloadLock.writing)
            return file
        }
    }

    /// The size of a file in bytes, and whether a process holds it. Nil if it does not exist.
    static func look(at path: String) -> (size: Int, isHeld: Bool)? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
        guard let descriptor = try? FileDescriptor.open(path, flags) else { return nil }
        let file = DownloadFile(path: path, descriptor: descriptor)
        let isHeld = descriptor.isLocked(DownloadLock.both)
        return (file.size, isHeld)
    }

    private init(path: String, descriptor: FileDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Releases the claim.
    deinit { descriptor.close() }

    /// In bytes.
    var size: Int {
        var status = stat()
        return unsafe fstat(descriptor.number, &status) == 0 ? Int(status.st_size) : 0
    }

    func empty() throws(FileError) {
        guard ftruncate(descriptor.number, 0) == 0 else {
            throw FileError(.empty, errno)
        }
    }

    /// Unlinks the file while it is locked, so that no other file with its name is deleted.
    func remove() throws(FileError) {
        if unsafe unlink(path) != 0, errno != ENOENT {
            throw FileError(.remove, errno)
        }
    }

    private var hasItsName: Bool {
        var (ours, named) = (stat(), stat())
        guard unsafe fstat(descriptor.number, &ours) == 0, unsafe lstat(path, &named) == 0 else {
            return false
        }
        return ours.st_ino == named.st_ino && ours.st_dev == named.st_dev
    }
}
