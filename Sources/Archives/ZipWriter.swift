import CZip
import Glibc
internal import Platform

/// Writes a ZIP archive in memory. The same files give the same bytes: entries are in the order in
/// which they are added, and all have the date 1980-01-01, the first that ZIP can express.
@safe package final class ZipWriter {
    /// Nil when the archive is finished.
    private var handle: OpaquePointer?
    private let source: OpaquePointer
    private var packed: [(files: PackedFiles, includes: (_ name: String) -> Bool)] = []

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

    /// Adds files with their compressed bytes: those that `includes` names. They come after the
    /// files that are added one by one, of which there must be at least one.
    package func add(_ files: PackedFiles, where includes: @escaping (_ name: String) -> Bool) {
        packed.append((files, includes))
    }

    private func add(
        _ name: String, _ content: OpaquePointer, method: CInt, level: Int
    ) throws(ZipError) {
        let index = unsafe zip_file_add(handle, name, content, UInt32(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            unsafe zip_source_free(content)
            let isDouble = unsafe zip_error_code_zip(zip_get_error(handle)) == ZIP_ER_EXISTS
            throw isDouble ? .duplicateName(name) : .outOfMemory
        }
        unsafe zip_set_file_compression(handle, UInt64(index), method, UInt32(level))
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
        var whole = archive
        for (files, includes) in packed { whole = try files.added(to: whole, where: includes) }
        return whole
    }
}

extension ZipError {
    fileprivate static let outOfMemory = ZipError.file(FileError(.write, ENOMEM))
}
