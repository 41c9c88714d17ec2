internal import Bytes
internal import Foundation
internal import Glibc
internal import Platform

/// The pass files of a library, named by SHA-256: `passes/ab/abcdef….pkpass`.
///
/// A file is written in `temporary`, synced, and then renamed, so that a file with its final name
/// is always complete.
struct FileStore: Sendable {
    let root: String
    /// The folder for a copy of an index that cannot be read where it is.
    var copies = NSTemporaryDirectory()

    init(root: String) {
        self.root = root
    }

    /// - Parameter copies: Nil for the system's folder of temporary files.
    init(at directory: URL, copies: URL?) {
        root = directory.standardizedFileURL.path
        if let copies { self.copies = copies.path }
    }

    var passes: String { "\(root)/passes" }
    var temporary: String { "\(root)/temporary" }
    /// Bodies being downloaded; see ``DownloadQueue``.
    var downloads: String { "\(root)/downloads" }
    /// Files that repair cannot use and must not delete.
    var damaged: String { "\(root)/damaged" }

    func folder(of sha256: String) -> String { "\(passes)/\(sha256.prefix(2))" }
    func path(of sha256: String) -> String { "\(folder(of: sha256))/\(sha256).pkpass" }

    func contains(_ sha256: String) -> Bool { exists(path(of: sha256)) }

    /// Whether the path is accessible. False also if permissions hide it: use `isThere` for
    /// decisions that depend on the difference.
    func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Whether the path exists; throws if that cannot be determined.
    func isThere(_ path: String) throws(LibraryError) -> Bool {
        if unsafe access(path, F_OK) == 0 { return true }
        let failure = FileError(.examine, errno)
        guard failure.isAbsence else {
            throw .cannotRead(path: path, reason: .system(failure.code))
        }
        return false
    }

    /// The sorted names in a directory; empty if it does not exist.
    func names(in path: String) throws(LibraryError) -> [String] {
        do throws(FileError) {
            return try FileDescriptor.names(in: path).sorted()
        } catch {
            if error.operation == .open, error.isAbsence { return [] }
            throw .cannotRead(path: path, reason: .system(error.code))
        }
    }

    /// Whether this is a folder for files whose digests begin with its name.
    func isFolder(_ name: String) throws(LibraryError) -> Bool {
        guard name.utf8.count == 2, name.utf8.allSatisfy(isDigit) else { return false }
        return try isThere("\(passes)/\(name)/.")
    }

    /// The digest in the name of a pass file.
    func sha256(named name: String) -> String? {
        guard name.hasSuffix(".pkpass") else { return nil }
        let digest = name.dropLast(7)
        guard digest.utf8.count == 64, digest.utf8.allSatisfy(isDigit) else { return nil }
        return String(digest)
    }

    /// The digests in the names of pass files.
    func storedDigests() throws -> [String] {
        try names(in: passes).filter { try isFolder($0) }.flatMap { folder in
            try names(in: "\(passes)/\(folder)").compactMap(sha256).filter { $0.hasPrefix(folder) }
        }
    }

    /// Creates missing directories, accessible only to the user.
    func prepare() throws(FileError) {
        for folder in [passes, temporary, downloads] { try DurableFile.makeFolder(folder.utf8) }
    }

    /// The age at which files of killed imports are removed, in seconds.
    private static let draftAge = 24 * 3600

    /// Removes what killed imports left in `temporary`, unless another process is adding passes.
    func removeOldDrafts() {
        let oldest = time(nil) - Self.draftAge
        let drafts = ((try? FileDescriptor.names(in: temporary)) ?? []).map { "\(temporary)/\($0)" }
        let old = drafts.filter { path in
            var status = stat()
            return unsafe lstat(path, &status) == 0 && status.st_mtim.tv_sec < oldest
        }
        guard !old.isEmpty else { return }
        try? LibraryLock.hold(for: .removing, in: root, patience: .zero) {
            for path in old { try? remove(path) }
        }
    }

    /// Enough to keep all sync threads busy, and far below any limit on open files.
    static let openAtOnce = 64

    /// Writes octets to temporary files and syncs them.
    ///
    /// All files are written before the first is synced, so that the file system writes one journal
    /// entry for many files.
    func stage(
        _ files: [(sha256: String, octets: SpooledBytes)]
    ) throws(LibraryError) -> StagedFiles {
        do throws(FileError) {
            return try write(files)
        } catch {
            throw .cannotWrite(path: temporary, reason: .system(error.code))
        }
    }

    private func write(
        _ files: [(sha256: String, octets: SpooledBytes)]
    ) throws(FileError) -> StagedFiles {
        var staged = StagedFiles(store: self)
        var open = OpenFiles()
        for file in files {
            let draft = "\(temporary)/\(getpid())-\(UUID().uuidString)"
            let pass = DurableFile(path(of: file.sha256).utf8, draft: Array(draft.utf8))
            staged.add(pass, sha256: file.sha256)
            let descriptor = try pass.create(mode: 0o600)
            open.add(descriptor)
            try file.octets.forEachPiece { piece throws(FileError) in
                try descriptor.writeAll(piece)
                return true
            }
            if open.count == Self.openAtOnce { try open.sync() }
        }
        try open.sync()
        return staged
    }

    func create(_ path: String) throws(FileError) -> FileDescriptor {
        let number = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileError(.create, errno) }
        return FileDescriptor(number)
    }

    /// Deletes a file; no error if it does not exist.
    func remove(_ path: String) throws(FileError) {
        if unsafe unlink(path) != 0, errno != ENOENT {
            throw FileError(.remove, errno)
        }
    }

    func removePass(_ sha256: String) throws(LibraryError) {
        let path = path(of: sha256)
        do throws(FileError) {
            try remove(path)
        } catch {
            throw .cannotWrite(path: path, reason: .system(error.code))
        }
    }

    /// Moves a file to the folder of damaged files, for inspection.
    func setAside(_ path: String) throws {
        try DurableFile.makeFolder(damaged.utf8)
        let new = "\(damaged)/\(URL(fileURLWithPath: path).lastPathComponent)"
        // An earlier damaged file may have the same name.
        try DurableFile.move(path.utf8, to: (isThere(new) ? unusedName(new) : new).utf8)
    }

    /// An unused name with a timestamp.
    func unusedName(_ path: String) throws(LibraryError) -> String {
        let name = "\(path)-\(Int(Date.now.timeIntervalSince1970))"
        var candidate = name
        var number = 1
        while true {
            let isLogThere = try isThere(candidate + "-wal")
            if try !isThere(candidate), !isLogThere { return candidate }
            number += 1
            candidate = "\(name)-\(number)"
        }
    }

    func syncFile(_ path: String) throws(FileError) {
        let file = try FileDescriptor.open(path, O_RDONLY)
        defer { file.close() }
        try file.sync()
    }

    func syncDirectory(_ path: String) throws(FileError) {
        try FileDescriptor.syncFolder(at: path.utf8)
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension FileError {
    /// Whether the file does not exist, as opposed to being inaccessible.
    var isAbsence: Bool { code == ENOENT || code == ENOTDIR }
}

/// Files that are written and synced, but not yet renamed into the library. Those that are not
/// renamed are deleted.
struct StagedFiles: ~Copyable {
    private let store: FileStore
    private var files: [String: DurableFile] = [:]

    fileprivate init(store: FileStore) {
        self.store = store
    }

    deinit {
        for file in files.values { file.discard() }
    }

    fileprivate mutating func add(_ file: DurableFile, sha256: String) {
        files[sha256] = file
    }

    func contains(_ sha256: String) -> Bool { files[sha256] != nil }

    /// Renames files into the library and syncs each directory once.
    mutating func place(_ digests: Set<String>) throws(LibraryError) {
        do throws(FileError) {
            try rename(digests)
        } catch {
            throw .cannotWrite(path: store.passes, reason: .system(error.code))
        }
    }

    private mutating func rename(_ digests: Set<String>) throws(FileError) {
        var folders: Set<String> = []
        for sha256 in digests {
            guard let file = files[sha256] else { continue }
            let folder = store.folder(of: sha256)
            if folders.insert(folder).inserted, unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
                throw FileError(.makeFolder, errno)
            }
            // An interrupted import may have left a file of this name, which may be damaged.
            try file.place()
            files[sha256] = nil
        }
        if !folders.isEmpty { folders.insert(store.passes) }
        var open = OpenFiles()
        for folder in folders {
            if let folder = try FileDescriptor.folder(toSync: folder.utf8) { open.add(folder) }
            if open.count == FileStore.openAtOnce { try open.syncFolders() }
        }
        try open.syncFolders()
    }
}
