package import Cryptography
internal import Glibc
internal import Platform

extension Secret {
    /// Reads a whole file with a key or a password.
    ///
    /// Only the user of this program may have access to the file. The group may read it too if root
    /// owns it, since an administrator then chose the group, as Debian does with `ssl-cert`.
    /// Otherwise, group access is probably an accident of the umask.
    ///
    /// - Parameter limit: The maximum number of bytes to read; the rest is ignored.
    package init(privateFile path: String, limit: Int = 1 << 20) throws(SecretFileError) {
        let file = try openPrivate(path)
        defer { file.close() }
        do throws(FileError) {
            self = try Secret(contentsOf: file, limit: limit)
        } catch {
            throw .cannotRead(path: path, code: error.code)
        }
    }

    /// Reads the first line of such a file.
    package init(firstLineOfPrivateFile path: String) throws(SecretFileError) {
        let file = try openPrivate(path)
        defer { file.close() }
        do throws(FileError) {
            self = try Secret(firstLineOf: file)
        } catch {
            throw .cannotRead(path: path, code: error.code)
        }
    }
}

private func openPrivate(_ path: String) throws(SecretFileError) -> FileDescriptor {
    let file: FileDescriptor
    let access: (owner: UInt32, permissions: UInt32)
    do throws(FileError) {
        file = try FileDescriptor.open(path, O_RDONLY)
        do throws(FileError) {
            // The opened file is checked, so that it cannot be replaced between the check and the
            // read.
            access = try file.access()
        } catch {
            file.close()
            throw error
        }
    } catch {
        throw .cannotRead(path: path, code: error.code)
    }
    let allowed: UInt32 = access.owner == 0 ? 0o740 : 0o700
    guard access.owner == 0 || access.owner == geteuid() else {
        file.close()
        throw .foreignOwner(path: path)
    }
    guard access.permissions & ~allowed == 0 else {
        file.close()
        throw .readableByOthers(path: path)
    }
    return file
}
