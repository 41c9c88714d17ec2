import Bytes
import Glibc
import MailSource
import Platform

/// Operations on an open folder and the files in it.
extension FileDescriptor {
    /// Opens the folder at a path; creates it and its parents if missing.
    static func folder(at path: Path) throws(FileError) -> FileDescriptor {
        do throws(FileError) {
            try DurableFile.makeFolder(path.bytes)
        } catch {
            throw FileError(.makeFolder, error.code)
        }
        let number = unsafe path.withCString {
            unsafe Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard number >= 0 else { throw FileError(.open, errno) }
        return FileDescriptor(number)
    }

    /// Creates a folder in this one, unless it exists.
    func makeFolder(_ name: String) throws(FileError) {
        if unsafe mkdirat(number, name, 0o700) == 0 { return try syncFolder() }
        guard errno == EEXIST else {
            throw FileError(.makeFolder, errno)
        }
    }

    func open(_ name: String, _ flags: CInt) throws(FileError) -> FileDescriptor {
        let opened = unsafe openat(number, name, flags | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw FileError(.open, errno) }
        return FileDescriptor(opened)
    }

    /// In seconds since 1970; 0 if unknown.
    var modificationTime: time_t {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? status.st_mtim.tv_sec : 0
    }

    func remove(_ name: String) {
        _ = unsafe unlinkat(number, name, 0)
    }

    /// The names of the files in this folder, as far as it can be read.
    func names() -> [String] {
        var names: [String] = []
        try? forEachEntry { name, type in
            guard type == .file || type == .unknown, name[0] != UInt8(ascii: ".") else { return }
            names.append(String(fileName: name))
        }
        return names
    }
}
