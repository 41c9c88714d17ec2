internal import Bytes
internal import Foundation
internal import Glibc
internal import PassPresentation
internal import PassSession
internal import Platform

/// A file of the user that setup replaces as a whole and durably.
struct SmallFile {
    /// The path with symbolic links resolved, so that a link is kept.
    let path: String

    /// The temporary file of a write. Its name is fixed, so that the next run replaces a leftover.
    private var draft: String { "\(path).passconduit" }

    static let limit = 16 << 20

    init(_ path: String) {
        self.path = resolved(path)
    }

    /// True also for a dangling symbolic link.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Nil if the file does not exist.
    package func contents() throws(Failure) -> [UInt8]? {
        do throws(FileError) {
            let file = try FileDescriptor.open(path, O_RDONLY)
            defer { file.close() }
            let bytes = try ByteSource(stream: file, prefix: []).prefix(SmallFile.limit + 1)
            if bytes.count <= SmallFile.limit { return bytes }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw .unreadable(path, reason: error.phrase)
        }
        throw .unreadable(path, reason: .larger(than: SmallFile.limit))
    }

    /// Replaces the content, creates missing folders and keeps the file's mode.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        guard !SmallFile.isLink(path) else {
            throw .unwritable(
                path, reason: Phrase("it is a symbolic link whose target does not exist"))
        }
        do throws(FileError) {
            try makeFolders()
            try writeDraft(bytes)
            guard unsafe rename(draft, path) == 0 else {
                throw FileError(.write, errno)
            }
            try sync(folder, O_RDONLY | O_DIRECTORY)
        } catch {
            _ = unsafe unlink(draft)
            throw .unwritable(path, reason: error.phrase)
        }
    }

    /// Removes the file and a leftover temporary file, if they exist.
    package func remove() throws(Failure) {
        removeDraft()
        guard unsafe unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return }
        let error = FileError(.remove, errno)
        throw .unwritable(path, reason: error.phrase)
    }

    /// Removes the temporary file of an interrupted run.
    func removeDraft() {
        _ = unsafe unlink(draft)
    }

    private var folder: String { parent(of: path) }

    private func makeFolders() throws(FileError) {
        for folder in missingFolders(above: path) {
            // The mode that the XDG Base Directory Specification demands.
            guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw FileError(.makeFolderAt(folder), errno)
            }
            try sync(parent(of: folder), O_RDONLY | O_DIRECTORY)
        }
    }

    private func writeDraft(_ bytes: [UInt8]) throws(FileError) {
        var status = stat()
        let mode = unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
        let number = unsafe Glibc.open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw FileError(.write, errno) }
        let file = FileDescriptor(number)
        defer { file.close() }
        if let mode, fchmod(number, mode) != 0 { throw FileError(.write, errno) }
        try file.writeAll(bytes.span)
        guard fsync(number) == 0 else { throw FileError(.write, errno) }
    }

    private func sync(_ path: String, _ flags: CInt) throws(FileError) {
        let file = try FileDescriptor.open(path, flags)
        defer { file.close() }
        guard fsync(file.number) == 0 else { throw FileError(.sync, errno) }
    }
}

/// The missing parent folders of a file, outermost first.
func missingFolders(above path: String) -> [String] {
    var missing: [String] = []
    var folder = parent(of: path)
    while folder != "/", unsafe access(folder, F_OK) != 0 {
        missing.append(folder)
        folder = parent(of: folder)
    }
    return missing.reversed()
}

private func parent(of path: String) -> String {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    return folder.isEmpty ? "/" : String(folder)
}

private func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
}
