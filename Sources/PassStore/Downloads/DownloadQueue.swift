internal import Bytes
internal import Foundation
internal import GRDB

/// The downloads of a library: waiting, active and ended ones.
///
/// They are rows of the library's index, and files in its folder `downloads`. Any number of
/// processes may work on the queue at once, each on different downloads, and may be killed at any
/// time: their downloads are then waiting again, and keep the bytes received.
///
/// The order of operations:
/// - A row is durable before its file is created, and IDs are never reused: a file without a row,
///   or with the row of an ended download, was left by a killed process.
/// - The row of an ended download is durable before its file is deleted. If a process is killed in
///   between, the next one that opens the queue for writing deletes the file.
/// - Bodies are not synced. Data lost in a power failure is fetched again; if a file system returns
///   wrong data, verification of the pass fails.
public final class DownloadQueue: Sendable {
    private enum Home {
        case library(PassLibrary)
        case memory(DatabaseQueue)
    }

    /// The folder for bodies.
    package let folder: String
    private let home: Home

    /// Opens the queue of a library.
    public init(of library: PassLibrary) {
        folder = library.files.downloads
        home = .library(library)
        // A file that cannot be deleted now is deleted later.
        if library.access != .reading { try? sweep() }
    }

    /// A temporary queue for this process, with its bodies in a folder.
    package static func temporary(in folder: String) throws(LibraryError) -> DownloadQueue {
        try DownloadQueue(temporaryIn: folder)
    }

    private init(temporaryIn folder: String) throws(LibraryError) {
        self.folder = folder
        do {
            let index = try DatabaseQueue()
            try index.write(Schema.makeDownloads)
            home = .memory(index)
        } catch {
            throw LibraryError(error, at: folder)
        }
    }

    /// Whether it may be changed.
    var isForChanging: Bool {
        switch home {
        case .library(let library): library.access != .reading
        case .memory: true
        }
    }

    func path(of id: Int64) -> String { "\(folder)/\(DownloadFile.name(of: id))" }

    /// Reads rows; returns `none` if a read-only library has no table of downloads yet.
    func read<Value>(
        else none: Value, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        func read(_ db: Database) throws -> Value {
            try db.tableExists("downloads") ? try body(db) : none
        }
        switch home {
        case .library(let library):
            return try library.mendingOnce { () throws(LibraryError) in try library.read(read) }
        case .memory(let index):
            do { return try index.read(read) } catch { throw LibraryError(error, at: folder) }
        }
    }

    /// Changes rows in one durable transaction. `body` may be called twice.
    ///
    /// - Parameter isVital: Whether the index must not be replaced by another process in the meantime.
    func change<Value>(
        isVital: Bool = true, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        switch home {
        case .library(let library):
            return try library.mendingOnce { () throws(LibraryError) in
                guard isVital else { return try library.write(body) }
                return try library.holdingLock(for: .adding) { () throws(LibraryError) in
                    try library.write(body)
                }
            }
        case .memory(let index):
            do { return try index.write(body) } catch { throw LibraryError(error, at: folder) }
        }
    }

    func names() throws(LibraryError) -> [String] { try FileStore(root: folder).names(in: folder) }
}
