internal import Bytes
internal import Glibc

/// What the files of an index say about it before SQLite opens them, and what SQLite would not.
extension Index {
    /// Where a new index is made before it takes the place of a damaged one. As long as something is
    /// here, that is not done.
    static func draftPath(in root: String) -> String { path(in: root) + ".new" }

    /// Where the new index is, whole, while it takes the place of the damaged one. As long as it is
    /// here, it is the one that knows where passes came from: of the other the log may be gone.
    static func readyPath(in root: String) -> String { path(in: root) + ".ready" }

    /// Damage that can be seen without reading the index.
    static func visibleDamage(_ files: FileStore) throws(LibraryError) -> String? {
        for path in [draftPath(in: files.root), readyPath(in: files.root)]
        where try files.isThere(path) {
            return "a mending of it was ended before it was done"
        }
        return endsWithinPage(path(in: files.root)) ? "its end is missing" : nil
    }

    /// Whether the log was removed, or overwritten, that says what was committed last: SQLite takes
    /// such a log for an empty one. It makes the index of the log (`-shm`) after it, and removes it
    /// before it.
    static func isLogLost(_ files: FileStore) -> Bool {
        let path = path(in: files.root)
        guard files.exists(path + "-wal") else { return files.exists(path + "-shm") }
        guard let header = beginning(of: path + "-wal", count: 4) else { return false }
        // "WAL Header Format" of SQLite's description of its file format.
        return header != [0x37, 0x7F, 0x06, 0x82] && header != [0x37, 0x7F, 0x06, 0x83]
    }

    /// Whether the file ends within a page, which has 512 bytes or a multiple. SQLite sees that whole
    /// pages are missing, and takes a piece of one for all of it. While there is a log, it may have the
    /// rest. The index is not opened: to close it again would end SQLite's locks in this process.
    private static func endsWithinPage(_ path: String) -> Bool {
        var status = stat()
        if unsafe stat(path + "-wal", &status) == 0, status.st_size > 0 { return false }
        return unsafe stat(path, &status) == 0 && status.st_size % 512 != 0
    }

    private static func beginning(of path: String, count: Int) -> [UInt8]? {
        guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return nil }
        defer { file.close() }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(file.number, $0.baseAddress, count, 0)
        }
        return got == count ? bytes : nil
    }
}
