import Bytes
internal import Glibc
package import MailSource
package import PassPresentation
package import Platform

extension Phrase {
    /// - Parameter limit: In bytes.
    package static func larger(than limit: Int) -> Phrase {
        Phrase("it is larger than {count} MiB", ["count": .number(limit >> 20)])
    }
}

extension Session {
    /// The content of a small file, such as a certificate or a property list.
    package func contents(of argument: String, limit: Int = 1 << 20) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) {
            // With process substitution, `<(...)`, this is a pipe.
            let file = try open(path(argument), O_RDONLY)
            defer { file.close() }
            bytes = try ByteSource(stream: file, prefix: []).prefix(limit + 1)
        } catch {
            throw .unreadable(argument, reason: error.phrase)
        }
        guard bytes.count <= limit else {
            throw .unreadable(argument, reason: .larger(than: limit))
        }
        return bytes
    }

    /// Writes a file durably; an existing one is replaced only if `overwriting` is true.
    ///
    /// - Parameter mode: The permissions of a new file, before the umask.
    package func write(
        _ bytes: [UInt8], to argument: String, overwriting: Bool, mode: UInt32 = 0o666
    ) throws(Failure) {
        let path = path(argument)
        do throws(FileError) {
            if overwriting, let kind = kind(of: path), kind != S_IFREG {
                // Devices and pipes are written to, not replaced.
                let file = try open(path, O_WRONLY)
                defer { file.close() }
                try file.writeAll(bytes.span)
            } else {
                try DurableFile(path.bytes).write(
                    bytes, mode: mode, replacing: overwriting)
            }
        } catch {
            let isThere = error.code == EEXIST && !overwriting
            throw .unwritable(
                argument,
                reason: isThere
                    ? Phrase("already exists: --force overwrites it") : error.phrase)
        }
    }
}

/// Opens a file and, depending on the flags, creates it.
package func open(_ path: Path, _ flags: CInt) throws(FileError) -> FileDescriptor {
    let number = unsafe path.withCString { unsafe Glibc.open($0, flags | O_CLOEXEC, 0o666) }
    guard number >= 0 else {
        throw FileError(flags & O_WRONLY == 0 ? .open : .write, errno)
    }
    return FileDescriptor(number)
}

/// The S_IFMT bits of a file, following symbolic links; nil if it does not exist.
private func kind(of path: Path) -> mode_t? {
    var status = stat()
    let answer = unsafe path.withCString { unsafe stat($0, &status) }
    return answer == 0 ? status.st_mode & S_IFMT : nil
}
