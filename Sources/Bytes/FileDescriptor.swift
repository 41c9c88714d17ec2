import Glibc

/// An open file of the system. Whoever opens it closes it.
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

    /// A file without a name in the first of these directories that can hold one.
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

    /// A way from one process to another: what is written to the second comes out of the first.
    package static func pipe() throws(FileError) -> (
        reading: FileDescriptor, writing: FileDescriptor
    ) {
        var ends: (CInt, CInt) = (-1, -1)
        let made = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
            unsafe Glibc.pipe(bytes.baseAddress?.assumingMemoryBound(to: CInt.self))
        }
        guard made == 0 else { throw FileError(.makePipe, errno) }
        // The Glibc module has no pipe2: a program started at this moment by another thread gets both.
        for end in [ends.0, ends.1] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (FileDescriptor(ends.0), FileDescriptor(ends.1))
    }

    /// Fills the places of standard streams that were closed (`<&-`): the next file to be opened
    /// would get such a number, and be read as input or written over with results. These fail when
    /// used.
    package static func fillClosedStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
            _ = unsafe Glibc.open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// A file in `directory` that never had a name; nil where the file system has none of these.
    package static func unnamed(in directory: String) -> FileDescriptor? {
        // O_TMPFILE is a macro that Swift does not import: __O_TMPFILE | O_DIRECTORY.
        let unnamed: CInt = 0o20000000 | O_DIRECTORY
        let number = unsafe Glibc.open(directory, O_RDWR | O_CLOEXEC | unnamed, 0o600)
        return number >= 0 ? FileDescriptor(number) : nil
    }

    /// A file without a name in `directory`, gone when it is closed.
    package static func temporary(in directory: String) throws(FileError) -> FileDescriptor {
        if let file = unnamed(in: directory) { return file }
        // Not every file system has O_TMPFILE: a name that is removed at once does the same.
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

    /// Reads what there is, at most a buffer full; 0 at the end.
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

    /// Reads from a place in the file without moving its position; 0 at the end.
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    {
        while true {
            let got = unsafe pread(number, buffer.baseAddress, buffer.count, off_t(offset))
            if got >= 0 { return got }
            if errno != EINTR { throw FileError(.read, errno) }
        }
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

    /// Waits as other files do by themselves: who shares a stream may have made it one that does not.
    private func wait(for events: CInt) {
        var event = pollfd(fd: number, events: Int16(events), revents: 0)
        _ = unsafe poll(&event, 1, -1)
    }

    package func close() {
        _ = Glibc.close(number)
    }
}
