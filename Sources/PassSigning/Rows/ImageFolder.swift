internal import Bytes
public import Foundation
internal import Glibc
internal import Platform

/// The folder of a file of data, from which rows take images.
///
/// A column named like an image of a pass, such as `thumbnail.png`, `strip@2x.png` or
/// `en.lproj/logo.png`, holds the path of a PNG file. Paths are relative to this folder and do not
/// leave it: absolute paths, `..` and symbolic links are refused.
///
/// ```swift
/// let images = try ImageFolder(URL(fileURLWithPath: "guests"))
/// let files = try images.files(for: row)  // ["thumbnail.png": …]
/// ```
public final class ImageFolder: Sendable {
    private let folder: FileDescriptor
    private let limit: Int

    /// Opens a folder.
    ///
    /// ```swift
    /// let table = URL(fileURLWithPath: "guests/guests.csv")
    /// let images = try ImageFolder(table.deletingLastPathComponent(), limit: 1 << 20)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The folder that contains the file of data.
    ///   - limit: The largest size of an image, in bytes.
    /// - Throws: ``RowFileError/unreadable(_:)`` if it cannot be opened.
    public init(_ url: URL, limit: Int = 8 << 20) throws(RowFileError) {
        self.limit = limit
        do throws(FileError) {
            folder = try .open(url.path(percentEncoded: false), O_RDONLY | O_DIRECTORY)
        } catch {
            throw .unreadable(FolderFault(error))
        }
    }

    deinit { folder.close() }

    /// The images of a row by their path in the pass. A row without a value in a column has no
    /// image of that name.
    ///
    /// For example: `let portrait = try ImageFolder(url).files(for: row)["thumbnail.png"]`
    ///
    /// - Throws: ``RowFault/image(column:path:_:)`` if one cannot be used.
    public func files(for row: TemplateRow) throws(RowFault) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for column in row.columns.images {
            guard let path = row.value(at: column) else { continue }
            let name = row.columns.names[column]
            do throws(ImageFault) {
                files[name] = try image(at: path)
            } catch {
                throw .image(column: name, path: String(streamSafe: path), error)
            }
        }
        return files
    }

    private func image(at path: ArraySlice<UInt8>) throws(ImageFault) -> [UInt8] {
        let file = try open(path)
        defer { file.close() }
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .notAFile
        }
        guard status.st_size <= off_t(limit) else { throw .tooLarge(limit: limit) }
        let bytes: [UInt8]
        do throws(FileError) {
            let size = Int(status.st_size)
            bytes = try ByteSource(file: file, size: size).prefix(size)
        } catch {
            throw .unreadable(FolderFault(error))
        }
        guard bytes.starts(with: PictureKind.png.beginning) else { throw .notPNG }
        return bytes
    }

    /// Opens each folder of the path in turn, so that no link that is made meanwhile is followed.
    private func open(_ path: ArraySlice<UInt8>) throws(ImageFault) -> FileDescriptor {
        guard path.first != UInt8(ascii: "/") else { throw .absolute }
        let names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard
            names.allSatisfy({ name in
                !name.isEmpty && !name.elementsEqual("..".utf8) && !name.contains(0)
            })
        else { throw .outside }
        var parent = folder
        defer { if parent.number != folder.number { parent.close() } }
        for (index, name) in names.enumerated() {
            let isLast = index == names.count - 1
            // O_NONBLOCK: do not wait for the writer of a FIFO.
            let kind = isLast ? O_NONBLOCK : O_DIRECTORY
            let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | kind
            let number = unsafe (name.map { CChar(bitPattern: $0) } + [0])
                .withUnsafeBufferPointer { name -> CInt in
                    guard let start = name.baseAddress else { return -1 }
                    return unsafe openat(parent.number, start, flags)
                }
            guard number >= 0 else { throw fault(of: name, in: parent, errno) }
            if isLast { return FileDescriptor(number) }
            if parent.number != folder.number { parent.close() }
            parent = FileDescriptor(number)
        }
        throw .outside
    }

    private func fault(
        of name: ArraySlice<UInt8>, in parent: FileDescriptor, _ code: CInt
    ) -> ImageFault {
        var status = stat()
        let isThere = unsafe (name.map { CChar(bitPattern: $0) } + [0])
            .withUnsafeBufferPointer { name -> Bool in
                guard let start = name.baseAddress else { return false }
                return unsafe fstatat(parent.number, start, &status, AT_SYMLINK_NOFOLLOW) == 0
            }
        if isThere, status.st_mode & S_IFMT == S_IFLNK { return .link }
        return .unreadable(FolderFault(FileError(.open, code)))
    }
}
