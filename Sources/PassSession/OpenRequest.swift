import Bytes
internal import Foundation
internal import Glibc
internal import MIME
internal import MailSource
internal import PassImport
internal import PassLinks
internal import PassPresentation
package import Platform

/// Copies of files for a window in another process, in a private folder. They are copies because
/// browsers and mail programs may remove the originals at once. Their names are generated, so that
/// no untrusted name is on a command line. The window reads and removes them before it asks
/// anything.
package struct OpenRequest {
    package let folder: String
    private var copies: [Copy] = []

    private struct Copy {
        let path: Path
        let name: String

        /// The source for this copy if it is at `path`.
        package func source(at path: Path) -> OpenedPasses.NamedInput {
            let isFetched = WebURL(name) != nil
            let header = PartHeader(names: [self.path.name])
            let input: Input =
                isFetched
                ? .download(DownloadedFile(.file(path), source: name, header: header))
                : .path(path)
            return OpenedPasses.NamedInput(input: input, name: name)
        }
    }

    package var files: [OpenedPasses.NamedInput] { copies.map { $0.source(at: $0.path) } }

    private static let prefix = "passconduit-open-"
    /// In bytes, for all copies together: the folder may be in memory.
    package static let limit = 256 << 20

    /// Creates a folder in the first of these places that allows it.
    package init(in places: [String]) throws(FileError) {
        folder = try TemporaryFolder(named: OpenRequest.prefix, in: places).path
    }

    /// Opens a folder that `init(in:)` made for the same user.
    package init(at path: String) throws(Failure) {
        // With a trailing slash, lstat(2) would follow a symbolic link.
        var folder = path
        while folder.last == "/" { folder.removeLast() }
        var status = stat()
        let name = folder.split(separator: "/").last ?? ""
        guard unsafe lstat(folder, &status) == 0, status.st_mode == S_IFDIR | 0o700,
            status.st_uid == geteuid(), name.hasPrefix(OpenRequest.prefix)
        else { throw .unreadable(folder, reason: Phrase("it contains no passes to open")) }
        self.folder = folder
        let names = (try? FileDescriptor.names(in: folder)) ?? []
        for number in 1...max(names.count, 1) {
            guard let copy = names.first(where: { $0.hasPrefix("\(number)-copy") }),
                let source = FileManager.default.contents(atPath: "\(folder)/\(number)-name")
            else { return }
            let name = String(streamSafe: source)
            copies.append(Copy(path: Path("\(folder)/\(copy)"), name: name))
        }
    }

    /// Copies an open file.
    ///
    /// - Parameters:
    ///   - name: The name shown to the user.
    ///   - fileName: Its extension is kept, since it hints at the type.
    package mutating func copy(
        _ descriptor: FileDescriptor, named name: String, fileName: String
    ) throws(FileError) {
        let number = copies.count + 1
        let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")) ?? fileName.endIndex
        let claim = fileName[dot...]
            .filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
        let copy = Path("\(folder)/\(number)-copy\(claim.prefix(16))")
        try write(to: copy) { file throws(FileError) in
            try pour(descriptor, into: file)
        }
        try write(to: Path("\(folder)/\(number)-name")) { file throws(FileError) in
            try file.writeAll(Array(name.utf8).span)
        }
        copies.append(Copy(path: copy, name: name))
    }

    /// Opens the copies and removes the folder, so that nothing is left behind.
    package consuming func taken() throws(Failure) -> [OpenedPasses.NamedInput] {
        defer { remove() }
        var sources: [OpenedPasses.NamedInput] = []
        for copy in copies {
            do throws(FileError) {
                let number = try open(copy.path, O_RDONLY).number
                sources.append(copy.source(at: Path("/proc/self/fd/\(number)")))
            } catch {
                throw .unreadable(copy.name, reason: error.phrase)
            }
        }
        return sources
    }

    /// Removes the copies.
    package func remove() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    package var isTaken: Bool { unsafe access(folder, F_OK) != 0 }

    private func write(
        to path: Path, _ fill: (FileDescriptor) throws(FileError) -> Void
    ) throws(FileError) {
        let file = try open(path, O_WRONLY | O_CREAT | O_EXCL)
        defer { file.close() }
        try fill(file)
    }
}

/// Copies a file from its current position, up to the size limit.
private func pour(_ source: FileDescriptor, into target: FileDescriptor) throws(FileError) {
    var poured = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let result = unsafe buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(FileError) in try unsafe source.read(into: bytes) }
        }
        let got = try result.get()
        if got == 0 { return }
        poured += got
        guard poured <= OpenRequest.limit else { throw FileError(.copy, EFBIG) }
        try target.writeAll(buffer.span.extracting(0..<got))
    }
}
