package import Bytes
import CMagic

/// What libmagic says that bytes are. Loading its tables takes longer than most files, so that one
/// is made when the first question comes, and asked last. Not shared between threads.
@safe package final class FileTypes {
    private let cookie: OpaquePointer?

    package init() {
        unsafe cookie = magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS)
        if let cookie = unsafe cookie { _ = unsafe magic_load(cookie, nil) }
    }

    deinit {
        if let cookie = unsafe cookie { unsafe magic_close(cookie) }
    }

    /// The media type of some bytes, by their beginning; nil when the library has no answer.
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
