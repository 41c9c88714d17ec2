import CLinux
import Glibc

/// Files of one folder that are synced together, which takes about as long as one alone.
///
/// No file has its name before all of its bytes are on the disk. Until then, a file has no name and
/// vanishes when the process ends. On file systems without nameless files, and for a moment while an
/// existing file is replaced, it has a hidden name: if the process is killed then, the file remains,
/// and the next batch in the folder removes it.
package struct DurableBatch: Sendable {
    private let folder: FileDescriptor

    /// Removes the hidden files of processes that were killed.
    ///
    /// - Parameter path: The folder; it must exist. `close()` closes it.
    package init(folder path: String) throws(FileError) {
        folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
        removeAbandonedFiles()
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

    /// A file that cannot be removed does no harm.
    private func removeAbandonedFiles() {
        var names: [[UInt8]] = []
        try? folder.forEachEntry { name, type in
            guard type == .file || type == .unknown else { return }
            let name = name.indices.map { name[$0] }
            if let process = process(ofHiddenName: name), hasEnded(process) { names.append(name) }
        }
        for name in names { _ = unsafe unlinkat(folder.number, cString(name), 0) }
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
        if let hidden = draft.name {
            guard unsafe linux_rename_exclusively(folder.number, hidden, name) != 0 else { return }
            // Some network file systems cannot rename without replacing, but they have hard links.
            guard errno == EINVAL || errno == ENOSYS else { throw FileError(.write, errno) }
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

private let hiddenPrefix = Array(".passconduit.".utf8)
private let hiddenSuffix = Array(".part".utf8)

private func hiddenName(_ number: Int) -> [CChar] {
    cString(hiddenPrefix + Array("\(getpid()).\(number)".utf8) + hiddenSuffix)
}

/// The process that created a file of this name; nil if it is not a hidden name of a batch.
private func process(ofHiddenName name: [UInt8]) -> pid_t? {
    guard name.starts(with: hiddenPrefix), name.suffix(hiddenSuffix.count) == hiddenSuffix[...],
        name.count > hiddenPrefix.count + hiddenSuffix.count
    else { return nil }
    let numbers = name[hiddenPrefix.count..<(name.count - hiddenSuffix.count)]
        .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let areDigits = numbers.allSatisfy { number in
        !number.isEmpty && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
    }
    guard numbers.count == 2, areDigits else { return nil }
    var process: pid_t = 0
    for digit in numbers[0] {
        let (product, isLarge) = process.multipliedReportingOverflow(by: 10)
        let (sum, isLarger) = product.addingReportingOverflow(pid_t(digit - UInt8(ascii: "0")))
        guard !isLarge, !isLarger else { return nil }
        process = sum
    }
    // kill(2) takes zero for a group of processes.
    return process > 0 ? process : nil
}

private func hasEnded(_ process: pid_t) -> Bool {
    kill(process, 0) != 0 && errno == ESRCH
}

private func cString(_ name: [UInt8]) -> [CChar] {
    name.map { CChar(bitPattern: $0) } + [0]
}
