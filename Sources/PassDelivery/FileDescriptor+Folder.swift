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
        if unsafe mkdirat(number, name, 0o700) == 0 { return try sync() }
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

    func rename(_ old: String, to new: String) throws(FileError) {
        guard unsafe renameat(number, old, number, new) == 0 else {
            throw FileError(.rename, errno)
        }
    }

    func remove(_ name: String) {
        _ = unsafe unlinkat(number, name, 0)
    }

    /// The names of the files in a folder.
    func names() -> [String] {
        var names: [String] = []
        // Reopen the folder, because reading it moves the position.
        guard let copy = try? open(".", O_RDONLY | O_DIRECTORY),
            let directory = unsafe fdopendir(copy.number)
        else { return [] }
        defer { unsafe closedir(directory) }
        while let entry = unsafe readdir(directory) {
            let type = unsafe entry.pointee.d_type
            guard type == UInt8(DT_REG) || type == UInt8(DT_UNKNOWN) else { continue }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                // The file is opened by this name, so it must not be altered.
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
