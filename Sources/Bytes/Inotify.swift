import Glibc

/// The system's notices of what happens in folders: inotify(7). Closed when it goes out of scope.
///
/// Each process may have few of these, and each person a limited number of watches.
package struct Inotify: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// Something that happened.
    package struct Event: Sendable, Equatable {
        /// What `watch` returned for the folder; -1 where events were lost (`IN_Q_OVERFLOW`).
        package let watch: CInt
        /// Bits of `IN_`.
        package let mask: UInt32
        /// What it happened to, in the folder; empty for the folder itself.
        package let name: [UInt8]

        package init(watch: CInt, mask: UInt32, name: [UInt8] = []) {
            self.watch = watch
            self.mask = mask
            self.name = name
        }

        package func has(_ bits: CInt) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
    }

    /// - Throws: EMFILE where this person has as many of these as the system allows.
    package init() throws(FileError) {
        let number = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
        guard number >= 0 else { throw FileError(.watch, errno) }
        descriptor = FileDescriptor(number)
    }

    deinit { descriptor.close() }

    /// What can be waited for: readable when something happened.
    package var number: CInt { descriptor.number }

    /// Has the system tell what happens in the folder or file at `path`. For one that is watched already,
    /// by whatever path, the answer is the same.
    ///
    /// - Throws: ENOSPC where this person has as many watches as the system allows.
    package func watch(_ path: [UInt8], for bits: CInt) throws(FileError) -> CInt {
        let name = path.map { CChar(bitPattern: $0) } + [0]
        let watch = unsafe inotify_add_watch(number, name, UInt32(bitPattern: bits))
        guard watch >= 0 else { throw FileError(.watch, errno) }
        return watch
    }

    /// Ends a watch. Events of it that were not read yet are read still.
    package func end(_ watch: CInt) {
        _ = inotify_rm_watch(number, watch)
    }

    /// Takes what happened, as much as one look gives; empty for nothing.
    package func read() -> [Event] {
        var buffer = [UInt8](repeating: 0, count: Inotify.bufferSize)
        let count = unsafe Glibc.read(number, &buffer, buffer.count)
        guard count > 0 else { return [] }
        return Inotify.events(buffer.span.extracting(first: count))
    }

    /// Holds some thousand events, and at least one with the longest name.
    private static let bufferSize = 64 << 10

    /// Each is a header of four numbers, and a name with NULs behind it.
    static func events(_ bytes: Span<UInt8>) -> [Event] {
        let header = MemoryLayout<inotify_event>.size
        var events: [Event] = []
        var place = 0
        while bytes.count - place >= header {
            let end = place + header + Int(bytes.word(at: place + 12))
            guard end <= bytes.count else { break }
            var name: [UInt8] = []
            for index in place + header..<end {
                guard bytes[index] != 0 else { break }
                name.append(bytes[index])
            }
            events.append(
                Event(
                    watch: CInt(bitPattern: bytes.word(at: place)),
                    mask: bytes.word(at: place + 4), name: name))
            place = end
        }
        return events
    }
}

extension Span<UInt8> {
    /// Four bytes in the order of this computer.
    fileprivate func word(at place: Int) -> UInt32 {
        unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
    }
}
