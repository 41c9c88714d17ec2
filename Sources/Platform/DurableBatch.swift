import CLinux
import Glibc

/// Files of one folder that are synced together, which takes about as long as one alone.
///
/// No file has its name before all of its bytes are on the disk. Files without a name vanish when
/// the process ends, so a killed process leaves nothing behind.
package struct DurableBatch: Sendable {
    private let folder: FileDescriptor

    /// - Parameter path: The folder; it must exist. `close()` closes it.
    package init(folder path: String) throws(FileError) {
        folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
    }

    package func close() {
        folder.close()
    }

    /// A file that is written and has no name yet.
    package struct Draft: Sendable {
        fileprivate let file: FileDescriptor
        /// The hidden name, on file systems without nameless files.
        fileprivate let name: [CChar]?
    }

    /// Writes the bytes of a file. Several threads may do so at once.
    ///
    /// - Parameter number: Different for all drafts of the process that are not placed yet.
    package func draft(_ bytes: [UInt8], number: Int, mode: UInt32 = 0o666) throws(FileError)
        -> Draft
    {
        let draft = try create(number: number, mode: mode)
        do throws(FileError) {
            try draft.file.writeAll(bytes.span)
        } catch {
            discard(draft)
            throw error
        }
        return draft
    }

    /// Syncs the files, gives them their names, and closes them.
    ///
    /// - Parameter replacing: Whether existing files are replaced. If not, that is an error (EEXIST).
    /// - Returns: An error for each file that has not got its name, in the order of the files.
    package func place(
        _ files: [(name: [UInt8], draft: Draft)], replacing: Bool
    ) -> [FileError?] {
        guard let first = files.first else { return [] }
        if linux_sync_file_system(first.draft.file.number) != 0 {
            let error = FileError(.sync, errno)
            for file in files { discard(file.draft) }
            return files.map { _ in error }
        }
        var errors: [FileError?] = []
        for file in files {
            do throws(FileError) {
                try place(file.draft, as: file.name, replacing: replacing)
                errors.append(nil)
            } catch {
                errors.append(error)
            }
            discard(file.draft)
        }
        do throws(FileError) {
            try folder.syncFolder()
        } catch {
            errors = errors.map { $0 ?? error }
        }
        return errors
    }

    /// Removes a file that is not to be placed.
    package func discard(_ draft: Draft) {
        draft.file.close()
        if let name = draft.name { _ = unsafe unlinkat(folder.number, name, 0) }
    }

    private func create(number: Int, mode: UInt32) throws(FileError) -> Draft {
        let file = linux_open_unnamed(folder.number, mode)
        if file >= 0 { return Draft(file: FileDescriptor(file), name: nil) }
        // Not every file system has files without names.
        guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else {
            throw FileError(.write, errno)
        }
        let name = hiddenName(number)
        _ = unsafe unlinkat(folder.number, name, 0)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let named = unsafe openat(folder.number, name, flags, mode)
        guard named >= 0 else { throw FileError(.write, errno) }
        return Draft(file: FileDescriptor(named), name: name)
    }

    private func place(
        _ draft: Draft, as name: [UInt8], replacing: Bool
    ) throws(FileError) {
        let name = cString(name)
        if replacing {
            // Only a rename replaces a file, and only a file with a name can be renamed.
            let hidden = draft.name ?? hiddenName(Int(draft.file.number))
            if draft.name == nil {
                _ = unsafe unlinkat(folder.number, hidden, 0)
                try link(draft, hidden)
            }
            guard unsafe renameat(folder.number, hidden, folder.number, name) != 0 else { return }
            let code = errno
            _ = unsafe unlinkat(folder.number, hidden, 0)
            throw FileError(.write, code)
        }
        try link(draft, name)
    }

    private func link(_ draft: Draft, _ name: [CChar]) throws(FileError) {
        let number = folder.number
        let code =
            if let hidden = draft.name {
                unsafe linkat(number, hidden, number, name, 0)
            } else {
                unsafe linkat(
                    AT_FDCWD, "/proc/self/fd/\(draft.file.number)", number, name,
                    AT_SYMLINK_FOLLOW)
            }
        guard code == 0 else { throw FileError(.write, errno) }
    }
}

private func hiddenName(_ number: Int) -> [CChar] {
    cString(Array(".passconduit.\(getpid()).\(number).part".utf8))
}

private func cString(_ name: [UInt8]) -> [CChar] {
    name.map { CChar(bitPattern: $0) } + [0]
}
