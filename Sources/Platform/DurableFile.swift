import CLinux
import Glibc

/// A file that a person would miss. It is written under a temporary name, synced and then renamed,
/// and its folder is synced: after a crash, it is complete or as it was before.
package struct DurableFile: Sendable {
    private let path: [UInt8]
    private let draft: [UInt8]
    /// Where relative paths begin.
    private let base: CInt

    /// - Parameters:
    ///   - path: Relative to `base`; by default, to the current folder.
    ///   - draft: The temporary name, on the same file system; by default a hidden name in the same
    ///     folder that no other process uses.
    package init(
        _ path: some Collection<UInt8>, draft: [UInt8]? = nil, in base: FileDescriptor? = nil
    ) {
        self.path = Array(path)
        self.draft = draft ?? hiddenName(beside: self.path)
        self.base = base?.number ?? AT_FDCWD
    }

    /// Writes the file with `body`, and replaces the temporary file of an interrupted process.
    ///
    /// - Parameters:
    ///   - mode: The permissions, before the umask.
    ///   - replacing: Whether an existing file is replaced. If not, it is an error (EEXIST).
    package func write(
        mode: UInt32 = 0o666, replacing: Bool = true,
        _ body: (FileDescriptor) throws(FileError) -> Void
    ) throws(FileError) {
        var status = stat()
        if !replacing, unsafe fstatat(base, cString(path), &status, AT_SYMLINK_NOFOLLOW) == 0 {
            throw FileError(.write, EEXIST)
        }
        discard()
        let file = try create(mode: mode)
        do throws(FileError) {
            defer { file.close() }
            try body(file)
            try file.sync()
            try place(replacing: replacing)
        } catch {
            discard()
            throw error
        }
        try FileDescriptor.syncFolder(at: folder(of: path), in: base)
    }

    package func write(
        _ bytes: [UInt8], mode: UInt32 = 0o666, replacing: Bool = true
    ) throws(FileError) {
        try write(mode: mode, replacing: replacing) { file throws(FileError) in
            try file.writeAll(bytes.span)
        }
    }

    /// Removes the file. A missing file is an error.
    package func remove() throws(FileError) {
        guard unsafe unlinkat(base, cString(path), 0) == 0 else {
            throw FileError(.remove, errno)
        }
        try FileDescriptor.syncFolder(at: folder(of: path), in: base)
    }

    /// Renames a file and syncs the folders of both names. Replaces a file of the new name.
    ///
    /// - Parameter base: Where relative paths begin; by default, in the current folder.
    package static func move(
        _ old: some Collection<UInt8>, to new: some Collection<UInt8>,
        in base: FileDescriptor? = nil
    ) throws(FileError) {
        let (old, new, base) = (Array(old), Array(new), base?.number ?? AT_FDCWD)
        guard unsafe renameat(base, cString(old), base, cString(new)) == 0 else {
            throw FileError(.rename, errno)
        }
        try FileDescriptor.syncFolder(at: folder(of: new), in: base)
        if folder(of: old) != folder(of: new) {
            try FileDescriptor.syncFolder(at: folder(of: old), in: base)
        }
    }

    /// Creates a folder and its missing parents, and syncs the folders that contain them.
    package static func makeFolder(
        _ path: some Collection<UInt8>, mode: UInt32 = 0o700
    ) throws(FileError) {
        let path = Array(path)
        guard unsafe access(cString(path), F_OK) != 0 else { return }
        let parent = folder(of: path)
        if parent != path { try makeFolder(parent, mode: mode) }
        if unsafe mkdir(cString(path), mode) == 0 {
            return try FileDescriptor.syncFolder(at: parent)
        }
        guard errno == EEXIST else {
            throw FileError(.makeFolderAt(String(decoding: path, as: UTF8.self)), errno)
        }
    }
}

/// The steps of writing, for files that are synced together. In the end, the caller syncs their
/// folders.
extension DurableFile {
    /// Creates the temporary file.
    package func create(mode: UInt32) throws(FileError) -> FileDescriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let number = unsafe openat(base, cString(draft), flags, mode)
        guard number >= 0 else { throw FileError(.write, errno) }
        return FileDescriptor(number)
    }

    /// Gives the synced temporary file its name.
    package func place(replacing: Bool = true) throws(FileError) {
        let (draft, path) = (cString(draft), cString(path))
        if replacing {
            guard unsafe renameat(base, draft, base, path) != 0 else { return }
        } else {
            guard unsafe linux_rename_exclusively(base, draft, path) != 0 else { return }
            // Some network file systems cannot rename without replacing.
            if errno == EINVAL || errno == ENOSYS, unsafe linkat(base, draft, base, path, 0) == 0 {
                return discard()
            }
        }
        throw FileError(.write, errno)
    }

    /// Removes the temporary file, if there is one.
    package func discard() {
        _ = unsafe unlinkat(base, cString(draft), 0)
    }
}

extension FileDescriptor {
    package func sync() throws(FileError) {
        guard fsync(number) == 0 else { throw FileError(.sync, errno) }
    }

    /// Syncs the names in this folder, if its file system can.
    package func syncFolder() throws(FileError) {
        do throws(FileError) {
            try sync()
        } catch {
            // Some network file systems sync only files.
            guard error.code == EINVAL else { throw error }
        }
    }

    /// Opens a folder to sync it; nil if it may be written but not read, and so cannot be synced.
    package static func folder(
        toSync path: some Collection<UInt8>, in base: CInt = AT_FDCWD
    ) throws(FileError) -> FileDescriptor? {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let number = unsafe openat(base, cString(Array(path)), flags)
        if number < 0, errno == EACCES { return nil }
        guard number >= 0 else { throw FileError(.sync, errno) }
        return FileDescriptor(number)
    }

    /// Syncs the names in the folder at a path.
    package static func syncFolder(
        at path: some Collection<UInt8>, in base: CInt = AT_FDCWD
    ) throws(FileError) {
        guard let folder = try folder(toSync: path, in: base) else { return }
        defer { folder.close() }
        try folder.syncFolder()
    }
}

/// The folder that contains a file.
private func folder(of path: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    guard let end = path.lastIndex(where: { $0 != slash }) else { return [slash] }
    guard let name = path[..<end].lastIndex(of: slash) else { return [UInt8(ascii: ".")] }
    return name == 0 ? [slash] : Array(path[..<name])
}

private func hiddenName(beside path: [UInt8]) -> [UInt8] {
    let name = path.suffix(from: (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)
    // Names have at most 255 bytes.
    return path[..<name.startIndex] + [UInt8(ascii: ".")] + name.prefix(200)
        + Array(".\(getpid()).part".utf8)
}

private func cString(_ path: [UInt8]) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
}
