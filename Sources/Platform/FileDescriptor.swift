import CLinux
import Glibc

/// A file descriptor. The code that opens it closes it.
package struct FileDescriptor: Sendable {
    package let number: CInt

    package init(_ number: CInt) {
        self.number = number
    }

    package static func open(_ path: String, _ flags: CInt) throws(FileError) -> FileDescriptor {
        let number = unsafe Glibc.open(path, flags | O_CLOEXEC)
        guard number >= 0 else { throw FileError(.open, errno) }
        return FileDescriptor(number)
    }

    /// Creates an unnamed file in the first of `directories` that can hold one.
    package static func temporary(
        inOneOf directories: [String]
    ) throws(FileError) -> FileDescriptor {
        var failure = FileError(.makeTemporaryFile, ENOENT)
        for directory in directories {
            do throws(FileError) {
                return try temporary(in: directory)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Creates a pipe: bytes written to `writing` are read from `reading`.
    package static func pipe() throws(FileError) -> (
        reading: FileDescriptor, writing: FileDescriptor
    ) {
        var ends: [CInt] = [-1, -1]
        guard unsafe linux_pipe(&ends) == 0 else { throw FileError(.makePipe, errno) }
        return (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
    }

    /// Opens /dev/null for each closed standard stream (`<&-`). Otherwise the next file to be
    /// opened would get its number, and be read as input or overwritten with results. The access
    /// modes make using the stream still fail.
    package static func fillClosedStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
            _ = unsafe Glibc.open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Creates a file in `directory` that never has a name; nil if the file system does not support
    /// that.
    package static func unnamed(in directory: String) -> FileDescriptor? {
        // O_TMPFILE is a macro that Swift does not import: __O_TMPFILE | O_DIRECTORY.
        let unnamed: CInt = 0o20000000 | O_DIRECTORY
        let number = unsafe Glibc.open(directory, O_RDWR | O_CLOEXEC | unnamed, 0o600)
        return number >= 0 ? FileDescriptor(number) : nil
    }

    /// Creates an unnamed file in `directory`; it is deleted when it is closed.
    package static func temporary(in directory: String) throws(FileError) -> FileDescriptor {
        if let file = unnamed(in: directory) { return file }
        // Without O_TMPFILE: create a named file and unlink it at once.
        var template = Array("\(directory)/passconduit-XXXXXX".utf8CString)
        let named = unsafe template.withUnsafeMutableBufferPointer { buffer -> CInt in
            guard let base = buffer.baseAddress else { return -1 }
            let number = unsafe mkstemp(base)
            guard number >= 0 else { return number }
            _ = unsafe unlink(base)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            return number
        }
        guard named >= 0 else { throw FileError(.makeTemporaryFile, errno) }
        return FileDescriptor(named)
    }

    /// Reads up to a buffer full and returns the count; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        while true {
            let got = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
            if got >= 0 { return got }
            if errno == EAGAIN {
                wait(for: POLLIN)
            } else if errno != EINTR {
                throw FileError(.read, errno)
            }
        }
    }

    /// Reads up to a buffer full; 0 at the end.
    package func read(into buffer: inout [UInt8]) throws(FileError) -> Int {
        var result = Result<Int, FileError>.success(0)
        unsafe buffer.withUnsafeMutableBytes { space in
            result = Result { () throws(FileError) in try unsafe read(into: space) }
        }
        return try result.get()
    }

    /// Reads at `offset` without moving the file position; 0 at the end.
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    {
        while true {
            let got = unsafe pread(number, buffer.baseAddress, buffer.count, off_t(offset))
            if got >= 0 { return got }
            if errno != EINTR { throw FileError(.read, errno) }
        }
    }

    /// The offset of the first byte at or after `offset` that is not in a hole of a sparse file; nil
    /// if there is none. Moves the file position.
    package func data(from offset: Int) -> Int? {
        // SEEK_DATA, which Glibc does not export to Swift.
        let place = lseek(number, off_t(offset), 3)
        return place >= 0 ? Int(place) : errno == ENXIO ? nil : offset
    }

    package func writeAll(_ bytes: Span<UInt8>) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let got = unsafe bytes.withUnsafeBytes { source in
                unsafe Glibc.write(
                    number, source.baseAddress?.advanced(by: written), source.count - written)
            }
            if got >= 0 {
                written += got
            } else if errno == EAGAIN {
                wait(for: POLLOUT)
            } else if errno != EINTR {
                throw FileError(.write, errno)
            }
        }
    }

    /// Waits until the descriptor is ready. Needed if another process that shares it has set
    /// O_NONBLOCK.
    private func wait(for events: CInt) {
        var event = pollfd(fd: number, events: Int16(events), revents: 0)
        _ = unsafe poll(&event, 1, -1)
    }

    /// The owner of the file, and its permissions: the lowest nine bits of its mode.
    package func access() throws(FileError) -> (owner: UInt32, permissions: UInt32) {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw FileError(.read, errno) }
        return (status.st_uid, UInt32(status.st_mode) & 0o777)
    }

    package func close() {
        _ = Glibc.close(number)
    }
}
