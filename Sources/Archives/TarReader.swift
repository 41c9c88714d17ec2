package import Bytes
import Synchronization

/// Reads a tar archive once, from front to back, in constant memory.
package final class TarReader: Sendable {
    private let archive: Mutex<TarPosition>

    package init(_ source: ByteSource, limits: TarLimits = TarLimits()) {
        archive = Mutex(TarPosition(source, limits))
    }

    /// Whether a source that begins with these bytes, 512 or more, is a tar archive.
    package static func isArchive(_ prefix: Span<UInt8>) -> Bool {
        TarHeader(prefix) != nil
    }

    /// What comes next: a file, or what is wrong with the archive at this place; nil at its end.
    ///
    /// What was not read of the file before is skipped. Folders, links and devices are left out.
    /// Behind damage the next header is looked for. Throws when the source cannot be read.
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
    /// With its folders; bytes that are no UTF-8 are U+FFFD in it.
    package let name: String
    /// In bytes, as the archive has it; one that was cut off holds fewer.
    package let size: Int
    /// Its bytes, to be read before the archive's next entry is asked for.
    package let body: any ByteStream
}

/// What one archive may cost us.
package struct TarLimits: Sendable, Equatable {
    /// Of a long name or a set of attributes, in bytes: they stand before the file that has them.
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
