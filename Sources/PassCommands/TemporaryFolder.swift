internal import Bytes
internal import Foundation
internal import Glibc

/// A new folder that nobody else can look into.
struct TemporaryFolder {
    let path: String

    /// In the first of these places that can have one.
    init(named prefix: String, in places: [String]) throws(FileError) {
        var failure = FileError(operation: "make a folder", code: ENOENT)
        for place in places {
            var template = Array("\(place)/\(prefix)XXXXXX".utf8CString)
            let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
                guard let base = buffer.baseAddress, let name = unsafe mkdtemp(base) else {
                    return nil
                }
                return unsafe String(cString: name)
            }
            if let made {
                path = made
                return
            }
            failure = FileError(operation: "make a folder in \(place)", code: errno)
        }
        throw failure
    }

    /// With all that is in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
