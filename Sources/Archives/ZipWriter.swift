import CZip
import Glibc
internal import Platform

/// Writes a ZIP archive in memory. The same files give the same bytes: entries are in the order in
/// which they are added, and all have the date 1980-01-01, the first that ZIP can express.
@safe package final class ZipWriter {
    /// Nil when the archive is finished.
    private var handle: OpaquePointer?
    private let source: OpaquePointer

    package init() throws(ZipError) {
        guard let source = unsafe zip_source_buffer_create(nil, 0, 0, nil) else {
            throw .outOfMemory
        }
        guard let handle = unsafe zip_open_from_source(source, ZIP_TRUNCATE, nil) else {
            unsafe zip_source_free(source)
            throw .outOfMemory
        }
        // Closing releases one reference; the archive is read from the source afterwards.
        unsafe zip_source_keep(source)
        unsafe self.handle = unsafe handle
        unsafe self.source = unsafe source
    }

    deinit {
        if let handle = unsafe handle { unsafe zip_discard(handle) }
        unsafe zip_source_free(source)
    }

    /// Adds a file.
    ///
    /// - Parameter level: The effort of compression, 1 to 9; nil to store the bytes as they are.
    package func add(_ name: String, _ bytes: [UInt8], level: Int?) throws(ZipError) {
        // libzip reads and frees the copy when the archive is closed.
        let copy = unsafe malloc(max(bytes.count, 1))
        guard let copy = unsafe copy else { throw .outOfMemory }
        unsafe UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
        guard
            let content = unsafe zip_source_buffer(handle, copy, UInt64(bytes.count), 1)
        else {
            unsafe Glibc.free(copy)
            throw .outOfMemory
        }
        let method = level == nil ? ZIP_CM_STORE : ZIP_CM_DEFLATE
        try unsafe add(name, content, method: method, level: level ?? 0)
    }

    /// Adds files of another archive with their compressed bytes: those that `includes` names.
    package func add(
        _ archive: PackedFiles, where includes: (_ name: String) -> Bool
    ) throws(ZipError) {
        for (index, name) in archive.names.enumerated() where includes(name) {
            guard
                let content = unsafe zip_source_zip(
                    handle, archive.handle, UInt64(index), 0, 0, -1)
            else { throw .outOfMemory }
            try unsafe add(name, content, method: nil, level: 0)
        }
    }

    private func add(
        _ name: String, _ content: OpaquePointer, method: CInt?, level: Int
    ) throws(ZipError) {
        let index = unsafe zip_file_add(handle, name, content, UInt32(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            unsafe zip_source_free(content)
            let isDouble = unsafe zip_error_code_zip(zip_get_error(handle)) == ZIP_ER_EXISTS
            throw isDouble ? .duplicateName(name) : .outOfMemory
        }
        if let method {
            unsafe zip_set_file_compression(handle, UInt64(index), method, UInt32(level))
        }
        // The year counts from 1980 in the upper seven bits, followed by month and day.
        unsafe zip_file_set_dostime(handle, UInt64(index), 0, 1 << 5 | 1, 0)
    }

    /// The archive. libzip refuses to write one without entries.
    package func finish() throws(ZipError) -> [UInt8] {
        guard let handle = unsafe handle, unsafe zip_close(handle) == 0 else { throw .outOfMemory }
        unsafe self.handle = nil
        guard unsafe zip_source_open(source) == 0 else { throw .outOfMemory }
        defer { unsafe zip_source_close(source) }
        unsafe zip_source_seek(source, 0, SEEK_END)
        let count = unsafe zip_source_tell(source)
        unsafe zip_source_seek(source, 0, SEEK_SET)
        guard count >= 0 else { throw .outOfMemory }
        let archive = unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { space, filled in
            filled = unsafe Int(max(0, zip_source_read(source, space.baseAddress, UInt64(count))))
        }
        guard archive.count == count else { throw .outOfMemory }
        return archive
    }
}

/// Files that are compressed once and then added to many archives. Not for several threads: each
/// makes its own from the same archive.
@safe package final class PackedFiles {
    fileprivate let handle: OpaquePointer
    fileprivate let names: [String]
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// - Parameters:
    ///   - archive: The files, as `ZipWriter` writes them.
    ///   - names: Their names, in order.
    package init(_ archive: [UInt8], names: [String]) throws(ZipError) {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: archive.count)
        _ = unsafe bytes.initialize(from: archive)
        unsafe self.bytes = unsafe bytes
        self.names = names
        guard
            let source = unsafe zip_source_buffer_create(
                bytes.baseAddress, UInt64(archive.count), 0, nil)
        else {
            unsafe bytes.deallocate()
            throw .outOfMemory
        }
        guard let handle = unsafe zip_open_from_source(source, ZIP_RDONLY, nil) else {
            unsafe zip_source_free(source)
            unsafe bytes.deallocate()
            throw .outOfMemory
        }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe zip_discard(handle)
        unsafe bytes.deallocate()
    }
}

extension ZipError {
    fileprivate static let outOfMemory = ZipError.file(FileError(.write, ENOMEM))
}
