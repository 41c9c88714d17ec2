package import Cryptography
internal import Glibc
internal import Platform

extension Secret {
    /// Reads a file with a key or a password, to its end.
    ///
    /// Its owner and its group may read it, since keys of services often belong to a group, such as
    /// Debian's `ssl-cert`.
    ///
    /// - Parameter limit: In bytes; what follows is not read.
    package init(privateFile path: String, limit: Int = 1 << 20) throws(PushError) {
        let file = try openPrivate(path)
        defer { file.close() }
        do throws(FileError) {
            self = try Secret(contentsOf: file, limit: limit)
        } catch {
            throw .cannotRead(path: path, code: error.code)
        }
    }

    /// Reads the first line of such a file.
    package init(firstLineOfPrivateFile path: String) throws(PushError) {
        let file = try openPrivate(path)
        defer { file.close() }
        do throws(FileError) {
            self = try Secret(firstLineOf: file)
        } catch {
            throw .cannotRead(path: path, code: error.code)
        }
    }
}

private func openPrivate(_ path: String) throws(PushError) -> FileDescriptor {
    do throws(FileError) {
        let file = try FileDescriptor.open(path, O_RDONLY)
        do throws(FileError) {
            // The opened file is checked, so that it cannot be exchanged before it is read.
            if try file.permissions() & 0o027 == 0 { return file }
        } catch {
            file.close()
            throw error
        }
        file.close()
    } catch {
        throw .cannotRead(path: path, code: error.code)
    }
    throw .readableByOthers(path: path)
}
