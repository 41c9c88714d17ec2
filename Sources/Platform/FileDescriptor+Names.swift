import Glibc

extension FileDescriptor {
    /// The names in a folder, in no order.
    package static func names(in path: String) throws(FileError) -> [String] {
        guard let directory = unsafe opendir(path) else { throw FileError(.open, errno) }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(directory) else { break }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                // Keep the exact bytes of the name, to open the file with.
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        // After an error, the list is incomplete.
        guard errno == 0 else { throw FileError(.read, errno) }
        return names
    }
}
