import Archives
package import Bytes
import Compression
import Cryptography
import Foundation
import Glibc
package import MailSource
import PassVerification
package import Platform

/// Packs a folder with the files of a pass, on disk or in an archive, as a ZIP archive. The same
/// files give the same bytes: they are stored without compression, in the order of manifest.json,
/// and followed by manifest.json and the signature.
package enum UnpackedPass {
    enum File: Sendable {
        case octets(SpooledBytes)
        /// A symbolic link. It is packed as one, which the verifier refuses.
        case link

        /// In bytes.
        var size: Int { if case .octets(let octets) = self { octets.count } else { 0 } }
    }

    /// - Parameters:
    ///   - others: The names of files to pack even if manifest.json does not list them: those that
    ///     would count if this were an archive.
    ///   - read: Returns a file; nil if there is none with this name.
    static func packed(
        _ others: [EntryName], _ options: ImportOptions,
        read: (EntryName) throws(ZipError) -> File?
    ) throws(ZipError) -> SpooledBytes {
        let limits = options.verifier.limits
        var paths: [EntryName] = []
        if case .octets(let manifest)? = try read("manifest.json") {
            paths = listed(in: manifest, limits)
        }
        var names: Set<EntryName> = []
        var count = 0
        var writer = ZipWriter()
        var archive = OctetsWriter(options.spool)
        for path in paths + required + others.sorted() where names.insert(path).inserted {
            guard let file = try read(path) else { continue }
            count += 1
            guard count <= limits.entries else {
                throw .tooManyEntries(count: count, limit: limits.entries)
            }
            var contents = SpooledBytes([])
            var mode: UInt16 = 0o120777
            if case .octets(let octets) = file { (contents, mode) = (octets, 0o100644) }
            guard archive.count + contents.count <= limits.archive else {
                throw .archiveTooLarge(limit: limits.archive)
            }
            let sum = try zip { () throws(FileError) in try checksum(of: contents) }
            let header = try writer.begin(
                path.text, size: contents.count, checksum: sum, mode: mode)
            try zip { () throws(FileError) in
                try archive.append(header)
                try contents.forEachPiece { piece throws(FileError) in
                    try archive.append(piece)
                    return true
                }
            }
        }
        let end = try writer.finish()
        do throws(FileError) {
            try archive.append(end)
            return try archive.finish()
        } catch {
            throw .file(error)
        }
    }

    /// The files that every pass has, in the order in which they are packed unless listed.
    private static let required: [EntryName] = ["pass.json", "manifest.json", "signature"]

    /// Whether the folder has every file that its manifest lists.
    static func isWhole(_ folder: HeldFolders.Folder, _ limits: VerificationLimits) -> Bool {
        guard case .octets(let manifest)? = folder.files["manifest.json"] else { return false }
        return listed(in: manifest, limits).allSatisfy { folder.files[$0] != nil }
    }

    /// The paths in a manifest.json, without itself and the signature; none if it cannot be read,
    /// which the verifier reports.
    private static func listed(
        in manifest: SpooledBytes, _ limits: VerificationLimits
    ) -> [EntryName] {
        guard manifest.count <= limits.held, let bytes = try? manifest.array(),
            let paths = try? Manifest(bytes, limit: limits.manifestPaths).paths
        else { return [] }
        return paths.map { EntryName($0) }.filter { !required[1...].contains($0) }
    }

    /// Whether a file is in a folder such as `en.lproj`, and not metadata of the Finder.
    static func isTranslation(_ file: EntryName) -> Bool {
        let parts = file.text.utf8.split(separator: UInt8(ascii: "/"))
        return parts.count == 2 && parts[0].suffix(6).elementsEqual(".lproj".utf8)
            && parts[1].first != UInt8(ascii: ".")
    }
}

extension UnpackedPass {
    /// The pass in a folder, for a process that may read it on behalf of another one. The limits
    /// are those of passes.
    package static func packed(_ folder: Path) throws(FileError) -> SpooledBytes {
        do throws(ZipError) {
            return try packed(folder, ImportOptions())
        } catch {
            if case .file(let error) = error { throw error }
            throw FileError(.copy, EFBIG)
        }
    }

    /// The pass in a folder. Symbolic links in it are not followed.
    static func packed(
        _ folder: Path, _ options: ImportOptions
    ) throws(ZipError) -> SpooledBytes {
        let most = options.verifier.limits.entries
        var others: [EntryName] = []
        try forEachName(in: folder) { name, isFile throws(ZipError) in
            let path = folder.appending(name)
            guard !isFile else { return }
            if path.isLink {
                others.append(EntryName(String(streamSafe: name)))
            } else if name.suffix(6).elementsEqual(".lproj".utf8) {
                try forEachName(in: path) { inner, _ throws(ZipError) in
                    let name = EntryName(String(streamSafe: name + [UInt8(ascii: "/")] + inner))
                    if isTranslation(name) { others.append(name) }
                }
            }
            guard others.count <= most else {
                throw .tooManyEntries(count: others.count, limit: most)
            }
        }
        return try packed(others, options) { name throws(ZipError) in
            try zip { () throws(FileError) in try file(name.text, in: folder) }
                .map { file throws(ZipError) in
                    guard let file else { return .link }
                    let limit = options.verifier.limits.archive
                    defer { file.descriptor.close() }
                    let octets = try zip { () throws(FileError) in
                        try file.bytes.octets(limit: limit, options.spool)
                    }
                    guard let octets else { throw .archiveTooLarge(limit: limit) }
                    return .octets(octets)
                }
        }
    }

    /// A stamp that changes with any file in a folder or in a folder of it: their total size, their
    /// latest times, and a digest of their names and stamps for the inode. Nil if there are too
    /// many files.
    static func stamp(of folder: Path, _ options: ImportOptions) -> FileStamp? {
        var hash = Hash(.sha256)
        var (count, size, modified, changed) = (0, 0, Int64.min, Int64.min)
        var waiting = [(path: folder, depth: 0)]
        while let (path, depth) = waiting.popLast() {
            count += 1
            guard count + waiting.count <= options.verifier.limits.entries,
                let status = path.status(followsLinks: depth == 0)
            else { return nil }
            let stamp = FileStamp(status)
            size &+= stamp.size
            (modified, changed) = (max(modified, stamp.modified), max(changed, stamp.changed))
            let name = path.bytes.dropFirst(folder.bytes.count)
            let words = [
                UInt64(name.count), stamp.inode, UInt64(bitPattern: Int64(stamp.size)),
                UInt64(bitPattern: stamp.modified), UInt64(bitPattern: stamp.changed),
            ]
            let bytes = Array(Data(words: words)) + name
            hash.add(bytes.span)
            guard status.st_mode & S_IFMT == S_IFDIR, depth < 2 else { continue }
            var code: CInt = 0
            var names = DirectoryNames(of: path, code: &code)
            while count + waiting.count <= options.verifier.limits.entries,
                let name = names.next()
            {
                waiting.append((path.appending(name), depth + 1))
            }
            guard code == 0 else { return nil }
        }
        return Data(hash.finishedBytes()).words.first.map {
            FileStamp(inode: $0, size: size, modified: modified, changed: changed)
        }
    }

    /// The names of the files in a folder that are of the pass, and not those in its subfolders.
    static func names(in folder: Path, _ options: ImportOptions) -> Set<[UInt8]> {
        var names = Set(required.map { Array($0.text.utf8) })
        guard let manifest = try? file("manifest.json", in: folder) ?? nil else { return names }
        defer { manifest.descriptor.close() }
        let limits = options.verifier.limits
        if let octets = try? manifest.bytes.octets(limit: limits.held, options.spool) {
            names.formUnion(listed(in: octets, limits).map { Array($0.text.utf8) })
        }
        return names
    }

    /// Opens a file in a folder or in a folder of it, such as `en.lproj`; deeper ones are not of a
    /// pass. Nil if there is no regular file at this path; `.some(nil)` if it is a symbolic link.
    private static func file(_ name: String, in folder: Path) throws(FileError) -> OpenSource?? {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(Array.init)
        guard parts.count <= 2, !name.utf8.contains(0),
            !parts.contains(where: { [[], Array(".".utf8), Array("..".utf8)].contains($0) })
        else { return nil }
        var path = folder
        for part in parts {
            path = path.appending(part)
            if path.isLink { return .some(nil) }
        }
        guard let status = path.status(followsLinks: false), status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        var file = SourceFile(path)
        file.followsLinks = false
        return try file.open()
    }

    private static func forEachName(
        in folder: Path, _ body: ([UInt8], _ isFile: Bool) throws(ZipError) -> Void
    ) throws(ZipError) {
        var code: CInt = 0
        var names = DirectoryNames(of: folder, code: &code)
        guard code == 0 else { throw .file(FileError(.open, code)) }
        while let name = names.next() { try body(name, names.type == .file) }
    }
}

/// Calls `body` and throws its error as one of an archive.
private func zip<Result>(_ body: () throws(FileError) -> Result) throws(ZipError) -> Result {
    do throws(FileError) {
        return try body()
    } catch {
        throw .file(error)
    }
}
