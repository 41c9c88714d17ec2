internal import Bytes
internal import Foundation
internal import Glibc
internal import PassPresentation
internal import PassSession
internal import Platform

/// A file of the user that setup replaces as a whole and durably.
struct SmallFile {
    /// The path with symbolic links resolved, so that a link is kept.
    let path: String

    /// The name of the temporary file is fixed, so that the next run replaces a leftover.
    private var file: DurableFile {
        DurableFile(path.utf8, draft: Array("\(path).passconduit".utf8))
    }

    static let limit = 16 << 20

    init(_ path: String) {
        self.path = resolved(path)
    }

    /// True also for a dangling symbolic link.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Nil if the file does not exist.
    package func contents() throws(Failure) -> [UInt8]? {
        do throws(FileError) {
            let file = try FileDescriptor.open(path, O_RDONLY)
            defer { file.close() }
            let bytes = try ByteSource(stream: file, prefix: []).prefix(SmallFile.limit + 1)
            if bytes.count <= SmallFile.limit { return bytes }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw .unreadable(path, reason: error.phrase)
        }
        throw .unreadable(path, reason: .larger(than: SmallFile.limit))
    }

    /// Replaces the content, creates missing folders and keeps the file's mode.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        guard !SmallFile.isLink(path) else {
            throw .unwritable(
                path, reason: Phrase("it is a symbolic link whose target does not exist"))
        }
        var status = stat()
        let mode = unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
        do throws(FileError) {
            // The mode that the XDG Base Directory Specification demands.
            try DurableFile.makeFolder(parent(of: path).utf8)
            try file.write { file throws(FileError) in
                if let mode, fchmod(file.number, mode) != 0 { throw FileError(.write, errno) }
                try file.writeAll(bytes.span)
            }
        } catch {
            throw .unwritable(path, reason: error.phrase)
        }
    }

    /// Removes the file and a leftover temporary file, if they exist.
    package func remove() throws(Failure) {
        removeDraft()
        do throws(FileError) {
            try file.remove()
        } catch {
            guard error.code != ENOENT, error.code != ENOTDIR else { return }
            throw .unwritable(path, reason: error.phrase)
        }
    }

    /// Removes the temporary file of an interrupted run.
    func removeDraft() {
        file.discard()
    }
}

/// The missing parent folders of a file, outermost first.
func missingFolders(above path: String) -> [String] {
    var missing: [String] = []
    var folder = parent(of: path)
    while folder != "/", unsafe access(folder, F_OK) != 0 {
        missing.append(folder)
        folder = parent(of: folder)
    }
    return missing.reversed()
}

private func parent(of path: String) -> String {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    return folder.isEmpty ? "/" : String(folder)
}

private func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
}
