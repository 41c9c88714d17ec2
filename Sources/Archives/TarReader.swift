package import Bytes
package import Platform
import Synchronization

/// Reads a tar archive sequentially in constant memory.
package final class TarReader: Sendable {
    private let archive: Mutex<TarPosition>

    package init(_ source: ByteSource, limits: TarLimits = TarLimits()) {
        archive = Mutex(TarPosition(source, limits))
    }

    /// Returns the next file or error of the archive; nil at its end.
    ///
    /// Skips the unread rest of the previous file, and entries other than files. After damage,
    /// continues at the next valid header. Throws if the source cannot be read.
    package func next() throws(FileError) -> TarEntry? {
        let found = try archive.withLock { archive throws(FileError) in try archive.next() }
        switch found {
        case .file(let name, let size, let number):
            let body = TarBody(archive: self, number: number)
            return .file(TarFile(name: name, size: size, body: body))
        case .problem(let error): return .problem(error)
        case nil: return nil
        }
    }

    fileprivate func read(
        _ number: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        try archive.withLock { archive throws(FileError) in
            try unsafe archive.read(number, into: buffer)
        }
    }
}

package enum TarEntry: Sendable {
    case file(TarFile)
    case problem(TarError)
}

/// A file in an archive.
package struct TarFile: Sendable {
    /// Including folders; invalid UTF-8 becomes U+FFFD.
    package let name: String
    /// In bytes, from the header; a truncated file has fewer.
    package let size: Int
    /// The contents; read them before calling `next` again.
    package let body: any ByteStream
}

/// Limits for one archive.
package struct TarLimits: Sendable, Equatable {
    /// The size of a long name or a set of attributes, which precede their file, in bytes.
    package var attributes = 1 << 20

    package init() {}
}

/// The bytes of one file.
private struct TarBody: ByteStream {
    let archive: TarReader
    let number: Int

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try unsafe archive.read(number, into: buffer)
    }
}
