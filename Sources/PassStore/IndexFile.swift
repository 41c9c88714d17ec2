internal import Glibc
internal import Platform

/// Checks of the index files that SQLite does not make. They run before SQLite opens the files.
extension Index {
    /// The path at which a new index is created before it replaces a damaged one. While it exists,
    /// the replacement is unfinished.
    static func draftPath(in root: String) -> String { path(in: root) + ".new" }

    /// The path of the complete new index while it replaces the damaged one. While this file
    /// exists, data is salvaged from it instead of the old index, whose log may already be gone.
    static func readyPath(in root: String) -> String { path(in: root) + ".ready" }

    /// Damage that is visible without reading the index.
    static func visibleDamage(_ files: FileStore) throws(LibraryError) -> IndexDamage? {
        for path in [draftPath(in: files.root), readyPath(in: files.root)]
        where try files.isThere(path) {
            return .unfinishedMending
        }
        return endsWithinPage(path(in: files.root)) ? .truncated : nil
    }

    /// Whether the write-ahead log with the last commits was removed or overwritten: SQLite treats
    /// such a log as empty. SQLite creates the log's index (`-shm`) after the log, and deletes it
    /// before the log.
    static func isLogLost(_ files: FileStore) -> Bool {
        let path = path(in: files.root)
        guard files.exists(path + "-wal") else { return files.exists(path + "-shm") }
        guard let header = beginning(of: path + "-wal", count: 4) else { return false }
        // "WAL Header Format" in SQLite's file format documentation.
        return header != [0x37, 0x7F, 0x06, 0x82] && header != [0x37, 0x7F, 0x06, 0x83]
    }

    /// Whether the file ends within a page, whose size is a multiple of 512 bytes. SQLite detects
    /// missing pages, but takes a partial page for a complete one. If there is a log, it may
    /// contain the rest. The file is not opened: closing it would release SQLite's locks in this
    /// process.
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
