internal import Bytes
internal import Foundation
internal import GRDB

/// The downloads of a library: those to come, those on their way, and what became of the others.
///
/// They are rows of the library's index, and files of its folder `downloads`. Any number of processes
/// may work on the queue at once, each on other downloads, and each may be killed at any moment: what
/// it had is then waiting, with as much of the body as had come.
///
/// What is done in which order:
/// - A row is durable before its file is made, and no number is given twice: a file without a row, or
///   with one that ended, is what a process left that was killed.
/// - A row ends, durably, before its file goes. Killed in between, the file is swept by the next
///   process that opens the queue for changing.
/// - Bytes of a body are not synced. Those that were lost with the power are fetched again; where a
///   file system gives back others in their place, the judging of the pass finds it.
public final class DownloadQueue: Sendable {
    private enum Home {
        case library(PassLibrary)
        case memory(DatabaseQueue)
    }

    /// Where bodies lie on their way.
    package let folder: String
    private let home: Home

    /// The queue of a library.
    public init(of library: PassLibrary) {
        folder = library.files.downloads
        home = .library(library)
        // What cannot be swept now can be another time.
        if library.access != .reading { try? sweep() }
    }

    /// A queue for as long as this process runs, with its bodies in a folder.
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

    /// Reads rows; `none` where the library is from before there were downloads, and only read.
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

    /// Changes rows, durably and all together. It may be done twice.
    ///
    /// - Parameter isVital: Whether nobody may put another index in the place of this one meanwhile.
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
