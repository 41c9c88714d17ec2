import Glibc

/// File system notifications: inotify(7). Closed when it goes out of scope.
///
/// The kernel limits the number of instances and watches per user.
package struct Inotify: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    package struct Event: Sendable, Equatable {
        /// The watch descriptor; -1 if events were lost (`IN_Q_OVERFLOW`).
        package let watch: CInt
        /// `IN_` flags.
        package let mask: UInt32
        /// The name of the file in the folder; empty for the folder itself.
        package let name: [UInt8]

        package init(watch: CInt, mask: UInt32, name: [UInt8] = []) {
            self.watch = watch
            self.mask = mask
            self.name = name
        }

        package func has(_ bits: CInt) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
    }

    /// - Throws: EMFILE if the user has reached the limit of instances.
    package init() throws(FileError) {
        let number = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
        guard number >= 0 else { throw FileError(.watch, errno) }
        descriptor = FileDescriptor(number)
    }

    deinit { descriptor.close() }

    /// The file descriptor to poll: readable when there are events.
    package var number: CInt { descriptor.number }

    /// Watches the folder or file at `path`. Watching the same file again, by any path, returns the
    /// same descriptor.
    ///
    /// - Throws: ENOSPC if the user has reached the limit of watches.
    package func watch(_ path: [UInt8], for bits: CInt) throws(FileError) -> CInt {
        let name = path.map { CChar(bitPattern: $0) } + [0]
        let watch = unsafe inotify_add_watch(number, name, UInt32(bitPattern: bits))
        guard watch >= 0 else { throw FileError(.watch, errno) }
        return watch
    }

    /// Removes a watch. Its queued events are still delivered.
    package func end(_ watch: CInt) {
        _ = inotify_rm_watch(number, watch)
    }

    /// Reads one buffer of events; empty if there are none.
    package func read() -> [Event] {
        var buffer = [UInt8](repeating: 0, count: Inotify.bufferSize)
        let count = unsafe Glibc.read(number, &buffer, buffer.count)
        guard count > 0 else { return [] }
        return Inotify.events(buffer.span.extracting(first: count))
    }

    /// Holds thousands of events, and at least one with the longest file name.
    private static let bufferSize = 64 << 10

    /// Each event is a header of four numbers, then the name, padded with NULs.
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
    /// Four bytes in host byte order.
    fileprivate func word(at place: Int) -> UInt32 {
        unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
    }
}
