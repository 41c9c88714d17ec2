internal import Bytes
public import Foundation
internal import Glibc
package import Platform

/// A file of data for passes: one pass for each row.
///
/// Rows are read from UTF-8 in one of two formats:
/// - CSV (RFC 4180) with a header. Fields are separated by commas, or by semicolons or tabs if the
///   header has no comma. Blank lines are skipped.
/// - JSONL: an object on each line, with strings, numbers, booleans and null.
///
/// ```swift
/// let file = try RowFile(contentsOf: URL(fileURLWithPath: "guests.csv"))
/// var reader = try file.reader()
/// while let entry = try reader.next() { print(entry) }
/// ```
public final class RowFile: Sendable {
    /// How rows are written.
    public let format: RowFileFormat
    private let descriptor: FileDescriptor

    /// Opens a file. `.csv`, `.jsonl` and `.ndjson` name the format; otherwise a file that begins
    /// with a brace is JSONL.
    ///
    /// For example: `let isTable = try RowFile(contentsOf: url).format == .csv`
    ///
    /// - Throws: ``RowFileError`` if it cannot be read, or is not a regular file.
    public convenience init(contentsOf url: URL) throws(RowFileError) {
        let descriptor: FileDescriptor
        do throws(FileError) {
            // O_NONBLOCK: do not wait for the writer of a FIFO.
            descriptor = try .open(url.path(percentEncoded: false), O_RDONLY | O_NONBLOCK)
        } catch {
            throw .unreadable(FolderFault(error))
        }
        guard isRegularFile(descriptor) else {
            descriptor.close()
            throw .notAFile
        }
        try self.init(owning: descriptor, RowFileFormat(extension: url.pathExtension))
    }

    /// Copies standard input, so that it can be read more than once, to a file without a name.
    ///
    /// - Parameters:
    ///   - input: It is read to its end and stays open.
    ///   - directories: The first one that can hold the copy does.
    package convenience init(
        copyOf input: FileDescriptor, format: RowFileFormat? = nil, inOneOf directories: [String]
    ) throws(RowFileError) {
        let descriptor: FileDescriptor
        do throws(FileError) {
            descriptor = try copy(input, inOneOf: directories)
        } catch {
            throw .unreadable(FolderFault(error))
        }
        try self.init(owning: descriptor, format)
    }

    private init(owning descriptor: FileDescriptor, _ format: RowFileFormat?) throws(RowFileError) {
        self.descriptor = descriptor
        do throws(RowFileError) {
            self.format = if let format { format } else { try RowFileFormat(of: descriptor) }
        } catch {
            descriptor.close()
            throw error
        }
    }

    deinit { descriptor.close() }

    /// Reads the rows from the first one on. Readers of one file do not affect each other.
    ///
    /// ```swift
    /// var limits = RowLimits()
    /// limits.columns = 20
    /// let columns = try RowFile(contentsOf: url).reader(limits: limits).columns
    /// ```
    ///
    /// - Throws: ``RowFileError`` if the header of a CSV file is unusable.
    public func reader(limits: RowLimits = RowLimits()) throws(RowFileError) -> RowReader {
        try RowReader(self, limits: limits)
    }

    /// Reads up to a buffer full at an offset and returns the count; 0 at the end.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RowFileError)
        -> Int
    {
        do throws(FileError) {
            return try unsafe descriptor.read(at: offset, into: buffer)
        } catch {
            throw .unreadable(FolderFault(error))
        }
    }
}

/// How the rows of a file are written.
///
/// ```swift
/// switch try RowFile(contentsOf: url).format {
/// case .csv: print("a header and rows")
/// case .jsonl: print("an object on each line")
/// }
/// ```
public enum RowFileFormat: Sendable, Hashable {
    /// Comma-separated values (RFC 4180).
    case csv
    /// A JSON object on each line.
    case jsonl

    /// Nil if the ending of the file's name does not tell.
    init?(extension ending: String) {
        switch ending.lowercased() {
        case "csv": self = .csv
        case "jsonl", "ndjson": self = .jsonl
        default: return nil
        }
    }

    /// The format that the first byte shows, apart from white space and a byte order mark.
    fileprivate init(of descriptor: FileDescriptor) throws(RowFileError) {
        let head: [UInt8]
        do throws(FileError) {
            head = try ByteSource(file: descriptor, size: 0).bytes(at: 0, count: 4096)
        } catch {
            throw .unreadable(FolderFault(error))
        }
        let mark = ByteOrderMark.utf8.length(in: head.span)
        let first = head.dropFirst(mark).first { !$0.isWhiteSpace }
        self = first == UInt8(ascii: "{") ? .jsonl : .csv
    }
}

/// Limits for a file of data.
///
/// ```swift
/// var limits = RowLimits()
/// limits.row = 4096
/// ```
public struct RowLimits: Sendable, Hashable {
    /// The size of a row, in bytes.
    public var row = 1 << 20
    /// The number of columns of a row.
    public var columns = 1_000
    /// The buffer through which the file is read, in bytes.
    package var buffer = 256 << 10

    /// Creates limits that no list of guests or members reaches.
    public init() {}
}

private func isRegularFile(_ descriptor: FileDescriptor) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

private func copy(
    _ input: FileDescriptor, inOneOf directories: [String]
) throws(FileError) -> FileDescriptor {
    let output = try FileDescriptor.temporary(inOneOf: directories)
    do throws(FileError) {
        let source = ByteSource(stream: input)
        while true {
            let piece = try source.bytes(at: 0, count: 256 << 10)
            guard !piece.isEmpty else { return output }
            try output.writeAll(piece.span)
        }
    } catch {
        output.close()
        throw error
    }
}
