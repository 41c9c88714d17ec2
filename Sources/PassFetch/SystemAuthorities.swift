import Bytes
import CCurl
import Glibc
import Platform

/// The certificate authorities that libcurl uses by default.
enum SystemAuthorities {
    /// Whether they are in a folder prepared by `openssl rehash`, from which OpenSSL reads only
    /// those it needs. All of them from one file would take megabytes.
    static let areInFolder: Bool = {
        guard let version = unsafe curl_version_info(CURLVERSION_SEVENTH)?.pointee,
            let path = unsafe version.capath.map({ unsafe String(cString: $0).streamSafe }),
            let folder = try? FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
        else { return false }
        defer { folder.close() }
        var hasName = false
        try? folder.forEachEntry { name, _ in
            // Such as `02265526.0`.
            hasName = hasName || name.count == 10 && name.hasPrefix(".0", at: 8)
        }
        return hasName
    }()
}
