import Bytes
internal import Fetching
import Glibc

/// The file that a body is written to, from some place in it on.
struct BodyFile: ~Copyable {
    private let file: FileDescriptor
    /// How much of the body is in the file, in bytes.
    private(set) var size: Int

    /// Whether a name is that of a file in a folder, and nothing else.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    /// How many bytes a file holds; 0 where there is none.
    static func size(of name: String, in folder: String) -> Int {
        var status = stat()
        guard unsafe lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return 0 }
        return Int(status.st_size)
    }

    /// What the file holds behind `offset` is forgotten.
    init(_ name: String, in folder: String, from offset: Int) throws(FileError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let number = unsafe open("\(folder)/\(name)", flags, 0o600)
        guard number >= 0 else { throw FileError(operation: "open the file", code: errno) }
        guard ftruncate(number, off_t(offset)) == 0 else {
            let failure = FileError(operation: "cut the file", code: errno)
            close(number)
            throw failure
        }
        file = FileDescriptor(number)
        size = offset
    }

    deinit { file.close() }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let got = unsafe pwrite(file.number, rest.baseAddress, rest.count, off_t(size))
            if got > 0 {
                size += got
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(got))
            } else if got == 0 || errno != EINTR {
                throw FileError(operation: "write the file", code: got == 0 ? EIO : errno)
            }
        }
    }
}
