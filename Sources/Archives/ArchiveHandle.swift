import Bytes
import CArchive
import Glibc

/// An archive that libarchive reads, freed with its last reference.
@safe final class ArchiveHandle: @unchecked Sendable {
    let input: ArchiveInput
    private let library: ArchiveLibrary
    private let handle: OpaquePointer
    private var entry: OpaquePointer?
    private var isOpen = false

    /// Nil if there is no libarchive, or no memory.
    convenience init?(_ source: ByteSource, _ format: ArchiveFormat) {
        unsafe self.init(source, seeks: format == .sevenZip) { library, handle in
            // Formats are enabled one by one, since some of libarchive's filters start programs.
            switch format {
            case .tar, .warc: []
            case .cpio: unsafe [library.supportCPIO(handle)]
            case .ar: unsafe [library.supportAr(handle)]
            case .sevenZip: unsafe [library.support7zip(handle)]
            case .rar: unsafe [library.supportRAR(handle), library.supportRAR5(handle)]
            case .iso: unsafe [library.supportISO(handle)]
            case .zip: unsafe [library.supportZIP(handle)]
            }
        }
    }

    /// A file that is not an archive. Nil also if it is not compressed like this.
    convenience init?(_ source: ByteSource, _ filter: FilteredBytes.Filter) {
        unsafe self.init(source, seeks: false) { library, handle in
            let code =
                switch filter {
                case .lz4: unsafe library.supportLZ4(handle)
                case .compress: unsafe library.supportCompress(handle)
                case .lzma: unsafe library.supportLZMA(handle)
                }
            return unsafe [code, library.supportRaw(handle), library.supportEmpty(handle)]
        }
    }

    private init?(
        _ source: ByteSource, seeks: Bool,
        enabling formats: (ArchiveLibrary, OpaquePointer) -> [CInt]
    ) {
        guard let library = ArchiveLibrary.loaded, let handle = unsafe library.new() else {
            return nil
        }
        input = ArchiveInput(source)
        self.library = library
        unsafe self.handle = unsafe handle
        let object = unsafe Unmanaged.passUnretained(input).toOpaque()
        _ = unsafe library.setInput(handle, object)
        _ = unsafe library.setRead(handle) { _, input, place in
            unsafe ArchiveHandle.input(input)?.read(place) ?? Int(ARCHIVE_FATAL)
        }
        _ = unsafe library.setSkip(handle) { _, input, count in
            unsafe ArchiveHandle.input(input)?.skip(count) ?? 0
        }
        if seeks {
            _ = unsafe library.setSeek(handle) { _, input, distance, whence in
                unsafe ArchiveHandle.input(input)?.seek(distance, from: whence)
                    ?? Int64(ARCHIVE_FATAL)
            }
        }
        guard unsafe formats(library, handle).allSatisfy({ $0 >= ARCHIVE_WARN }) else { return nil }
        // A failure is reported again by `nextHeader`.
        isOpen = withUTF8Names { unsafe library.open(handle) } == ARCHIVE_OK
    }

    deinit { _ = unsafe library.free(handle) }

    private static func input(_ object: UnsafeMutableRawPointer?) -> ArchiveInput? {
        unsafe object.map { unsafe Unmanaged<ArchiveInput>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Proceeds to the next entry; returns libarchive's code.
    func nextHeader() -> Int {
        withUTF8Names { unsafe Int(library.nextHeader(handle, &entry)) }
    }

    /// Reads from the current entry; returns the number of bytes, or libarchive's code.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        unsafe library.read(handle, buffer.baseAddress, buffer.count)
    }

    func skip() -> Int { unsafe Int(library.skip(handle)) }

    /// The offset of the current entry's header.
    var headerPosition: Int { unsafe Int(clamping: library.headerPosition(handle)) }

    /// The offset up to which the archive was read.
    var position: Int { unsafe Int(clamping: library.position(handle, 0)) }

    /// Whether the current entry is a file. Those of `ar` may have no type.
    var isFile: Bool {
        let type = unsafe library.type(entry)
        return type == 0 || type == 0o100000
    }

    var isEncrypted: Bool { unsafe library.isEncrypted(entry) > 0 }
    /// Crashes in libarchive 3.6 if no format was recognised.
    var hasEncryptedEntries: Bool { unsafe isOpen && library.hasEncryptedEntries(handle) > 0 }
    /// Whether the contents are compressed by the filter that was enabled.
    var isFiltered: Bool { unsafe library.filterCode(handle, 0) != ARCHIVE_FILTER_NONE }

    /// The declared size of the current entry, in bytes; nil if it is not known yet.
    var size: Int? {
        unsafe library.isSizeSet(entry) != 0 ? Int(clamping: library.size(entry)) : nil
    }

    /// Invalid UTF-8 becomes U+FFFD, and long runs of combining marks are broken.
    var name: String {
        withUTF8Names {
            guard let name = unsafe library.name(entry) else { return "" }
            return unsafe String(cString: name).streamSafe
        }
    }

    var errorNumber: CInt { unsafe library.errorNumber(handle) }

    /// libarchive's error message.
    var errorText: String {
        let text = unsafe library.errorText(handle) ?? UnsafePointer(strerror(errorNumber))
        return unsafe text.map { unsafe String(cString: $0).streamSafe } ?? ""
    }

    /// libarchive converts names to the character set of the thread's locale.
    private func withUTF8Names<T>(_ body: () -> T) -> T {
        let before = unsafe uselocale(ArchiveHandle.locale)
        defer { _ = unsafe uselocale(before) }
        return body()
    }

    /// Never changes.
    private nonisolated(unsafe) static let locale = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
}
