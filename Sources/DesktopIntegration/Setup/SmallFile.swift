internal import Bytes
internal import Foundation
internal import Glibc
internal import PassPresentation
internal import PassSession

/// A file of the person's that setup reads or writes: whole, and on the disk before anything else is done.
struct SmallFile {
    /// Where a symbolic link leads to, so that the link stays.
    let path: String

    /// What is written before it gets its name. It is the same for each run: a later one takes the place
    /// of what an interrupted one has left.
    private var draft: String { "\(path).passconduit" }

    static let limit = 16 << 20

    init(_ path: String) {
        self.path = resolved(path)
    }

    /// Also of a symbolic link that leads nowhere.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Nil where there is no such file.
    package func contents() throws(Failure) -> [UInt8]? {
        do throws(FileError) {
            let file = try FileDescriptor.open(path, O_RDONLY)
            defer { file.close() }
            let bytes = try ByteSource(stream: file, prefix: []).prefix(SmallFile.limit + 1)
            if bytes.count <= SmallFile.limit { return bytes }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw .unreadable(path, reason: error.description)
        }
        throw .unreadable(path, reason: "it has more than \(bytesInWords(SmallFile.limit))")
    }

    /// Makes the folders that are missing, and keeps the mode of a file that is there.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        guard !SmallFile.isLink(path) else {
            throw .unwritable(path, reason: "it is a symbolic link that leads nowhere")
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
            throw .unwritable(path, reason: error.description)
        }
    }

    /// Removes it, and a draft that was left; what is not there is no error.
    package func remove() throws(Failure) {
        removeDraft()
        guard unsafe unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return }
        let error = FileError(.remove, errno)
        throw .unwritable(path, reason: error.description)
    }

    /// Removes what a run that was ended has left.
    func removeDraft() {
        _ = unsafe unlink(draft)
    }

    private var folder: String { parent(of: path) }

    private func makeFolders() throws(FileError) {
        for folder in missingFolders(above: path) {
            // The mode is that of the XDG base directory specification.
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

/// The folders that a file needs and that are not there, the outer before the inner.
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
