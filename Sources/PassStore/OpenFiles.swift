internal import Bytes
internal import Foundation
internal import Glibc
internal import Synchronization

/// Open files on their way to the disk.
///
/// They are synced several at a time: those who wait for the journal of the file system together
/// wait once, where one after the other would each have it written anew.
struct OpenFiles: ~Copyable {
    private var descriptors: [FileDescriptor] = []

    /// More wait for the same, and only take memory.
    private static let threads = 8

    deinit { for descriptor in descriptors { descriptor.close() } }

    /// How many are open.
    var count: Int { descriptors.count }

    /// Takes over an open file.
    mutating func add(_ descriptor: FileDescriptor) {
        descriptors.append(descriptor)
    }

    /// Has what was written to them reach the disk, and closes them.
    mutating func sync() throws(FileError) {
        let pending = PendingSyncs(descriptors.map(\.number))
        for _ in 1..<max(1, min(Self.threads, descriptors.count)) {
            // Where the system starts no more threads, those that there are do it all.
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

/// What is still to be synced, shared by the threads that do it.
private final class PendingSyncs: Sendable {
    /// The code of an error; 0 as long as there is none.
    let failure = Atomic<CInt>(0)
    private let numbers: [CInt]
    private let next = Atomic<Int>(0)
    private let group = DispatchGroup()

    init(_ numbers: [CInt]) {
        self.numbers = numbers
        for _ in numbers { group.enter() }
    }

    /// Waits until all were synced.
    func wait() { group.wait() }

    func work() {
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < numbers.count else { return }
            if fsync(numbers[index]) != 0 { failure.store(errno, ordering: .relaxed) }
            group.leave()
        }
    }
}
