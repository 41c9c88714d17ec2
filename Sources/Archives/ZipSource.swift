import Bytes
import CZip
import Glibc
import Platform

/// A libzip source that reads from SpooledBytes, without a path.
final class ZipSource {
    private let octets: SpooledBytes
    private let decoys: [Int]
    private var isOpening = true
    private var position = 0
    private(set) var failure: FileError?

    /// On opening, libzip tries every end-of-central-directory record it finds and allocates memory
    /// for its entry count, however large. The decoys are hidden from it.
    init(_ octets: SpooledBytes, hiding decoys: [Int]) {
        self.octets = octets
        self.decoys = decoys
    }

    /// Opens the archive; libzip keeps this source alive until the archive is discarded.
    func open() throws(ZipError) -> OpaquePointer {
        var error = unsafe zip_error_t()
        unsafe zip_error_init(&error)
        defer {
            unsafe zip_error_fini(&error)
            isOpening = false
        }
        let keep = unsafe Unmanaged.passRetained(self)
        guard
            let source = unsafe zip_source_function_create(
                { unsafe ask($0, $1, $2, $3) }, keep.toOpaque(), &error)
        else {
            unsafe keep.release()
            throw .damagedDirectory(.libzip(unsafe String(cString: zip_error_strerror(&error))))
        }
        guard let archive = unsafe zip_open_from_source(source, ZIP_RDONLY, &error) else {
            // Freeing the source sends ZIP_SOURCE_FREE, which releases this object.
            unsafe zip_source_free(source)
            if let failure { throw .file(failure) }
            if unsafe zip_error_code_zip(&error) == ZIP_ER_NOZIP { throw .notAnArchive }
            throw .damagedDirectory(.libzip(unsafe String(cString: zip_error_strerror(&error))))
        }
        return unsafe archive
    }

    fileprivate func answer(
        _ data: UnsafeMutableRawPointer?, _ count: UInt64, _ command: zip_source_cmd_t
    ) -> Int64 {
        switch command {
        case ZIP_SOURCE_OPEN:
            position = 0
            return 0
        case ZIP_SOURCE_READ:
            guard let data = unsafe data else { return -1 }
            return unsafe read(
                into: UnsafeMutableRawBufferPointer(start: data, count: Int(clamping: count)))
        case ZIP_SOURCE_SEEK:
            var error = unsafe zip_error_t()
            unsafe zip_error_init(&error)
            defer { unsafe zip_error_fini(&error) }
            guard let data = unsafe data else { return -1 }
            let place = unsafe zip_source_seek_compute_offset(
                UInt64(position), UInt64(octets.count), data, count, &error)
            guard place >= 0 else { return -1 }
            position = Int(place)
            return 0
        case ZIP_SOURCE_TELL:
            return Int64(position)
        case ZIP_SOURCE_STAT:
            guard let data = unsafe data, unsafe count >= UInt64(MemoryLayout<zip_stat_t>.size)
            else {
                return -1
            }
            let stat = unsafe data.assumingMemoryBound(to: zip_stat_t.self)
            unsafe zip_stat_init(stat)
            unsafe stat.pointee.size = UInt64(octets.count)
            unsafe stat.pointee.valid = UInt64(ZIP_STAT_SIZE)
            return unsafe Int64(MemoryLayout<zip_stat_t>.size)
        case ZIP_SOURCE_ERROR:
            guard let data = unsafe data, count >= 8 else { return -1 }
            unsafe data.storeBytes(of: ZIP_ER_READ, as: CInt.self)
            unsafe data.storeBytes(of: failure?.code ?? EIO, toByteOffset: 4, as: CInt.self)
            return 8
        case ZIP_SOURCE_SUPPORTS:
            return [
                ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                ZIP_SOURCE_SUPPORTS,
            ].reduce(0) { $0 | 1 << Int64($1.rawValue) }
        case ZIP_SOURCE_CLOSE:
            return 0
        default:
            return -1
        }
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int64 {
        do throws(FileError) {
            let got = try unsafe octets.read(at: position, into: buffer)
            if isOpening {
                let signatures = decoys.lazy.flatMap { $0..<$0 + 4 }
                for place in signatures where place >= position && place < position + got {
                    unsafe buffer[place - position] = 0
                }
            }
            position += got
            return Int64(got)
        } catch {
            failure = error
            return -1
        }
    }
}

private func ask(
    _ state: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?, _ count: UInt64,
    _ command: zip_source_cmd_t
) -> Int64 {
    guard let state = unsafe state else { return -1 }
    let source = unsafe Unmanaged<ZipSource>.fromOpaque(state)
    if command == ZIP_SOURCE_FREE {
        unsafe source.release()
        return 0
    }
    return unsafe source.takeUnretainedValue().answer(data, count, command)
}
