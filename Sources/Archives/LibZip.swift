import Bytes
import CZip
import Glibc

/// The functions of libzip, which is loaded when the first archive is opened.
///
/// Linked in the usual way it would be loaded by every command, and with it the libcrypto that it
/// decrypts with: for a list of passes that takes longer than the list.
@safe final class LibZip: Sendable {
    typealias Archive = OpaquePointer
    typealias File = OpaquePointer
    typealias Source = OpaquePointer
    typealias Failure = UnsafeMutablePointer<zip_error_t>

    let open: @convention(c) (Source?, CInt, Failure?) -> Archive?
    let discard: @convention(c) (Archive?) -> Void
    let entryCount: @convention(c) (Archive?, UInt32) -> Int64
    let stat: @convention(c) (Archive?, UInt64, UInt32, UnsafeMutablePointer<zip_stat_t>?) -> CInt
    let name: @convention(c) (Archive?, UInt64, UInt32) -> UnsafePointer<CChar>?
    let failureOfArchive: @convention(c) (Archive?) -> Failure?
    let openFile: @convention(c) (Archive?, UInt64, UInt32) -> File?
    let readFile: @convention(c) (File?, UnsafeMutableRawPointer?, UInt64) -> Int64
    let closeFile: @convention(c) (File?) -> CInt
    let failureOfFile: @convention(c) (File?) -> Failure?
    let makeSource:
        @convention(c) (zip_source_callback?, UnsafeMutableRawPointer?, Failure?) -> Source?
    let freeSource: @convention(c) (Source?) -> Void
    let placeSought:
        @convention(c) (UInt64, UInt64, UnsafeMutableRawPointer?, UInt64, Failure?) -> Int64
    let text: @convention(c) (Failure?) -> UnsafePointer<CChar>?
    let forgetFailure: @convention(c) (Failure?) -> Void

    /// Loads it, the first time.
    static func load() throws(ZipError) -> LibZip { try loaded.get() }

    private static let loaded = Result { () throws(ZipError) in try LibZip() }

    private init() throws(ZipError) {
        // The first is what its authors call it, the second what Debian 12 does; what is used is the same.
        let library = unsafe dlopen("libzip.so.5", RTLD_NOW) ?? dlopen("libzip.so.4", RTLD_NOW)
        func find<Function>(_ name: String) throws(ZipError) -> Function {
            guard let library = unsafe library, let symbol = unsafe dlsym(library, name) else {
                throw .file(FileError(operation: "load libzip", code: ELIBACC))
            }
            return unsafe unsafeBitCast(symbol, to: Function.self)
        }
        unsafe open = try find("zip_open_from_source")
        unsafe discard = try find("zip_discard")
        unsafe entryCount = try find("zip_get_num_entries")
        unsafe stat = try find("zip_stat_index")
        unsafe name = try find("zip_get_name")
        unsafe failureOfArchive = try find("zip_get_error")
        unsafe openFile = try find("zip_fopen_index")
        unsafe readFile = try find("zip_fread")
        unsafe closeFile = try find("zip_fclose")
        unsafe failureOfFile = try find("zip_file_get_error")
        unsafe makeSource = try find("zip_source_function_create")
        unsafe freeSource = try find("zip_source_free")
        unsafe placeSought = try find("zip_source_seek_compute_offset")
        unsafe text = try find("zip_error_strerror")
        unsafe forgetFailure = try find("zip_error_fini")
    }
}
