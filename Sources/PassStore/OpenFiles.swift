internal import Foundation
internal import Glibc
internal import Platform
internal import Synchronization

/// Open files to be synced.
///
/// They are synced in parallel: concurrent fsyncs share one commit of the file system's journal,
/// while sequential ones would each cause their own.
struct OpenFiles: ~Copyable {
    private var descriptors: [FileDescriptor] = []

    /// More threads would only use more memory.
    private static let threads = 8

    deinit { for descriptor in descriptors { descriptor.close() } }

    /// The number of open files.
    var count: Int { descriptors.count }

    /// Takes ownership of an open file.
    mutating func add(_ descriptor: FileDescriptor) {
        descriptors.append(descriptor)
    }

    /// Syncs the files and closes them.
    mutating func sync() throws(FileError) {
        try finish { file throws(FileError) in try file.sync() }
    }

    /// The same for folders, which some file systems do not sync.
    mutating func syncFolders() throws(FileError) {
        try finish { folder throws(FileError) in try folder.syncFolder() }
    }

    private mutating func finish(
        _ sync: @escaping @Sendable (FileDescriptor) throws(FileError) -> Void
    ) throws(FileError) {
        let pending = PendingSyncs(descriptors, sync)
        for _ in 1..<max(1, min(Self.threads, descriptors.count)) {
            // If a thread cannot be started, the others do its work.
            let thread = Thread { pending.work() }
            thread.stackSize = 128 << 10
            thread.start()
        }
        pending.work()
        pending.wait()
        for descriptor in descriptors { descriptor.close() }
        descriptors = []
        let code = pending.failure.load(ordering: .relaxed)
        if code != 0 { throw FileError(.sync, code) }
    }
}

/// The files still to be synced, shared by threads.
private final class PendingSyncs: Sendable {
    /// The errno of a failure; 0 if there was none.
    let failure = Atomic<CInt>(0)
    private let files: [FileDescriptor]
    private let sync: @Sendable (FileDescriptor) throws(FileError) -> Void
    private let next = Atomic<Int>(0)
    private let group = DispatchGroup()

    init(
        _ files: [FileDescriptor],
        _ sync: @escaping @Sendable (FileDescriptor) throws(FileError) -> Void
    ) {
        self.files = files
        self.sync = sync
        for _ in files { group.enter() }
    }

    /// Waits until all files are synced.
    func wait() { group.wait() }

    func work() {
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < files.count else { return }
            do throws(FileError) {
                try sync(files[index])
            } catch {
                failure.store(error.code, ordering: .relaxed)
            }
            group.leave()
        }
    }
}
