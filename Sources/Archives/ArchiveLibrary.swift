import Glibc

/// The functions of libarchive.
///
/// They are loaded when the first archive is opened, not when the program starts: libarchive needs
/// libxml2 and ICU, and loading them takes 1.5 ms, which is more than the rest of the start.
///
/// `@unchecked Sendable`: it holds pointers to functions, which never change.
@safe struct ArchiveLibrary: @unchecked Sendable {
    typealias Handle = OpaquePointer
    typealias Input = UnsafeMutableRawPointer
    typealias Read =
        @convention(c) (Handle?, Input?, UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int
    typealias Skip = @convention(c) (Handle?, Input?, Int64) -> Int64
    typealias Seek = @convention(c) (Handle?, Input?, Int64, CInt) -> Int64
    typealias Setting = @convention(c) (Handle?) -> CInt

    let new: @convention(c) () -> Handle?
    let free: Setting
    let open: Setting
    let setRead: @convention(c) (Handle?, Read?) -> CInt
    let setSkip: @convention(c) (Handle?, Skip?) -> CInt
    let setSeek: @convention(c) (Handle?, Seek?) -> CInt
    let setInput: @convention(c) (Handle?, Input?) -> CInt
    let support7zip, supportRAR, supportRAR5, supportCPIO, supportAr, supportISO: Setting
    let supportZIP, supportRaw, supportEmpty: Setting
    let supportLZ4, supportCompress, supportLZMA: Setting
    let nextHeader: @convention(c) (Handle?, UnsafeMutablePointer<Handle?>?) -> CInt
    let headerPosition: @convention(c) (Handle?) -> Int64
    let position: @convention(c) (Handle?, CInt) -> Int64
    let read: @convention(c) (Handle?, UnsafeMutableRawPointer?, Int) -> Int
    let skip: Setting
    let hasEncryptedEntries: Setting
    let filterCode: @convention(c) (Handle?, CInt) -> CInt
    let errorNumber: Setting
    let errorText: @convention(c) (Handle?) -> UnsafePointer<CChar>?
    let name: @convention(c) (Handle?) -> UnsafePointer<CChar>?
    let type: @convention(c) (Handle?) -> CUnsignedInt
    let size: @convention(c) (Handle?) -> Int64
    let isSizeSet: Setting
    let isEncrypted: Setting

    /// Nil if the library is not installed.
    static let loaded = unsafe dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL)
        .flatMap { unsafe ArchiveLibrary($0) }

    private init?(_ library: UnsafeMutableRawPointer) {
        var isComplete = true
        func function<F>(_ name: String) -> F {
            let address = unsafe dlsym(library, name)
            if unsafe address == nil { isComplete = false }
            return unsafe unsafeBitCast(address, to: F.self)
        }
        unsafe new = function("archive_read_new")
        unsafe free = function("archive_read_free")
        unsafe open = function("archive_read_open1")
        unsafe setRead = function("archive_read_set_read_callback")
        unsafe setSkip = function("archive_read_set_skip_callback")
        unsafe setSeek = function("archive_read_set_seek_callback")
        unsafe setInput = function("archive_read_set_callback_data")
        unsafe support7zip = function("archive_read_support_format_7zip")
        unsafe supportRAR = function("archive_read_support_format_rar")
        unsafe supportRAR5 = function("archive_read_support_format_rar5")
        unsafe supportCPIO = function("archive_read_support_format_cpio")
        unsafe supportAr = function("archive_read_support_format_ar")
        unsafe supportISO = function("archive_read_support_format_iso9660")
        unsafe supportZIP = function("archive_read_support_format_zip_streamable")
        unsafe supportRaw = function("archive_read_support_format_raw")
        unsafe supportEmpty = function("archive_read_support_format_empty")
        unsafe supportLZ4 = function("archive_read_support_filter_lz4")
        unsafe supportCompress = function("archive_read_support_filter_compress")
        unsafe supportLZMA = function("archive_read_support_filter_lzma")
        unsafe nextHeader = function("archive_read_next_header")
        unsafe headerPosition = function("archive_read_header_position")
        unsafe position = function("archive_filter_bytes")
        unsafe read = function("archive_read_data")
        unsafe skip = function("archive_read_data_skip")
        unsafe hasEncryptedEntries = function("archive_read_has_encrypted_entries")
        unsafe filterCode = function("archive_filter_code")
        unsafe errorNumber = function("archive_errno")
        unsafe errorText = function("archive_error_string")
        unsafe name = function("archive_entry_pathname")
        unsafe type = function("archive_entry_filetype")
        unsafe size = function("archive_entry_size")
        unsafe isSizeSet = function("archive_entry_size_is_set")
        unsafe isEncrypted = function("archive_entry_is_encrypted")
        guard isComplete else { return nil }
    }
}
