import CCurl

/// The cookies of one request and its redirects, in memory.
@safe final class CookieJar {
    let pointer: UnsafeMutableRawPointer

    /// Nil without memory.
    init?() {
        guard let pointer = unsafe curl_share_init() else { return nil }
        unsafe self.pointer = unsafe pointer
        unsafe curl_share_cookies(pointer)
    }

    deinit { unsafe curl_share_cleanup(pointer) }
}
