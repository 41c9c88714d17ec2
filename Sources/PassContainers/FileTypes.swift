package import Bytes
import CMagic

/// File types according to libmagic. Loading its tables takes longer than reading most files, so it
/// is created on first use and consulted last. Not shared between threads.
@safe package final class FileTypes {
    private let cookie: OpaquePointer?

    package init() {
        unsafe cookie = magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS)
        if let cookie = unsafe cookie { _ = unsafe magic_load(cookie, nil) }
    }

    deinit {
        if let cookie = unsafe cookie { unsafe magic_close(cookie) }
    }

    /// The media type of the bytes, from their beginning; nil if libmagic returns none.
    package func mediaType(of octets: SpooledBytes) -> String? {
        guard let cookie = unsafe cookie, let bytes = try? octets.array(0..<16_384) else {
            return nil
        }
        let answer = unsafe bytes.withUnsafeBytes { buffer in
            unsafe magic_buffer(cookie, buffer.baseAddress, buffer.count)
        }
        return unsafe answer.map { unsafe String(cString: $0).streamSafe }
    }
}
