import Glibc

/// The type of an entry of a folder, as the folder states it.
package enum EntryType: Sendable {
    case file, folder, link, other
    /// Some file systems do not store types.
    case unknown

    fileprivate init(_ type: UInt8) {
        self =
            switch Int(type) {
            case DT_REG: .file
            case DT_DIR: .folder
            case DT_LNK: .link
            case DT_UNKNOWN: .unknown
            default: .other
            }
    }
}

extension FileDescriptor {
    /// Calls `body` with the name and type of each entry of this folder, except `.` and `..`, in no
    /// order. An error in the middle is thrown after the entries before it.
    package func forEachEntry(
        _ body: (_ name: Span<UInt8>, _ type: EntryType) -> Void
    ) throws(FileError) {
        // A copy, because closedir(3) closes its descriptor.
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let directory = unsafe fdopendir(copy) else {
            let failure = FileError(.open, errno)
            if copy >= 0 { FileDescriptor(copy).close() }
            throw failure
        }
        defer { unsafe closedir(directory) }
        // The copy shares its position with this descriptor.
        unsafe rewinddir(directory)
        while true {
            errno = 0
            guard let entry = unsafe readdir(directory) else { break }
            let type = unsafe EntryType(entry.pointee.d_type)
            // A name may be longer than the array that dirent declares: up to 255 characters of
            // three bytes in UTF-8 on vfat, exFAT and NTFS.
            let start = unsafe UnsafeRawPointer(entry) + nameOffset
            let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
            let name = unsafe UnsafeRawBufferPointer(start: start, count: length)
            if unsafe name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
            unsafe name.withMemoryRebound(to: UInt8.self) { unsafe body($0.span, type) }
        }
        guard errno == 0 else { throw FileError(.read, errno) }
    }

    /// The names in the folder at a path, in no order.
    package static func names(in path: String) throws(FileError) -> [String] {
        let folder = try open(path, O_RDONLY | O_DIRECTORY)
        defer { folder.close() }
        var names: [String] = []
        try folder.forEachEntry { name, _ in names.append(String(fileName: name)) }
        return names
    }
}

private let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19

extension String {
    /// The name of a file, decoded from UTF-8.
    package init(fileName name: Span<UInt8>) {
        self = unsafe name.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
