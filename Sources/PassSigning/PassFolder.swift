internal import Bytes
public import Foundation
internal import Glibc
public import PassModel
internal import PassVerification
package import Platform

/// The files of a pass before it is signed: pass.json, images and translations.
///
/// A folder is read as it is, whatever its ending: `.pass`, `.raw` or `.pkpasstemplate`.
///
/// ```swift
/// let folder = try PassFolder(contentsOf: URL(fileURLWithPath: "Event.pass"))
/// print(folder.files.keys.sorted())  // ["icon.png", "pass.json"]
/// ```
public struct PassFolder: Sendable, Hashable {
    /// The contents of the files by their path in the pass, such as `en.lproj/pass.strings`.
    public var files: [String: [UInt8]]
    /// The paths that do not become part of the pass: hidden files, symbolic links, and
    /// manifest.json and signature, which signing creates.
    public let leftOut: [String]

    /// Makes a pass of files in memory.
    ///
    /// For example: `PassFolder(["pass.json": Array(#"{"formatVersion": 1}"#.utf8)])`
    ///
    /// - Parameter files: The contents by path. manifest.json and signature are left out.
    public init(_ files: [String: [UInt8]]) {
        self.init(files.filter { !PassFolder.made.contains($0.key) }, leftOut: [])
    }

    package init(_ files: [String: [UInt8]], leftOut: [String]) {
        self.files = files
        self.leftOut = leftOut
    }

    /// Reads a folder.
    ///
    /// ```swift
    /// var limits = PassFolderLimits()
    /// limits.total = 10 << 20
    /// let folder = try PassFolder(contentsOf: url, limits: limits)
    /// ```
    ///
    /// - Throws: ``PassFolderError`` if the folder or a file cannot be read, has an unsafe name, or
    ///   exceeds a limit.
    public init(
        contentsOf url: URL, limits: PassFolderLimits = PassFolderLimits()
    ) throws(PassFolderError) {
        let root = url.path(percentEncoded: false)
        var reader = FolderReader(root: root, limits: limits)
        try reader.readAll()
        self.init(reader.files, leftOut: reader.leftOut.sorted())
    }

    /// pass.json; nil if there is none.
    public var pass: [UInt8]? { files["pass.json"] }

    /// The size of all files, in bytes.
    public var size: Int { files.values.reduce(0) { $0 + $1.count } }

    /// The names that signing creates, so that those of a folder are not signed.
    package static let made: Set<String> = ["manifest.json", "signature"]
}

extension Pass {
    /// Reads the contents of a folder, as tolerantly as Wallet.
    ///
    /// For example: `let pass = try Pass(PassFolder(contentsOf: url))`
    ///
    /// - Throws: ``/PassModel/PassError`` as for its pass.json, which is empty if there is none.
    public init(_ folder: PassFolder) throws(PassError) {
        var strings: [String: [UInt8]] = [:]
        for (path, bytes) in folder.files where path.hasSuffix("/pass.strings") {
            if let language = PassFileName.language(path) { strings[language] = bytes }
        }
        // The order of the manifest that signing makes.
        let paths = folder.files.keys.sorted()
        try self.init(
            json: folder.pass ?? [], strings: strings,
            images: paths.filter { $0.hasSuffix(".png") },
            localizations: paths.compactMap(PassFileName.language))
    }
}

/// Limits for the folder of a pass.
///
/// ```swift
/// var limits = PassFolderLimits()
/// limits.entries = 50
/// ```
public struct PassFolderLimits: Sendable, Hashable {
    /// The number of files and folders.
    public var entries = VerificationLimits().entries - PassFolder.made.count
    /// The size of all files, in bytes.
    public var total = VerificationLimits().archive - (1 << 20)

    /// Creates limits such that a signed pass does not exceed those of the verifier: 998 files and
    /// 63 MiB, which leaves room for manifest, signature and the headers of the archive.
    public init() {}
}

/// Why a folder cannot be read as a pass.
///
/// ```swift
/// do {
///     print(try PassFolder(contentsOf: url).size)
/// } catch PassFolderError.notAFolder(let path) { print("no folder \(path)") }
/// ```
public enum PassFolderError: Error, Sendable, Hashable {
    /// It does not exist or is not a folder.
    case notAFolder(path: String)
    /// A file or folder in it cannot be read; the path is that in the pass.
    case unreadable(path: String, FolderFault)
    /// The name is not UTF-8, has a character that archives must not contain, or differs from
    /// another only in Unicode normalisation.
    case unsafeName(path: String)
    /// More files and folders than this.
    case tooManyEntries(limit: Int)
    /// More bytes than this.
    case tooLarge(limit: Int)
}

/// The error of the system for a file. The payload of cases such as
/// ``PassFolderError/unreadable(path:_:)``.
public struct FolderFault: Sendable, Hashable {
    package let error: FileError

    package init(_ error: FileError) {
        self.error = error
    }
}

/// Reads the folders that are still to be read, one after the other.
private struct FolderReader {
    let root: String
    let limits: PassFolderLimits
    var files: [String: [UInt8]] = [:]
    var leftOut: [String] = []
    private var count = 0
    private var size = 0

    init(root: String, limits: PassFolderLimits) {
        self.root = root
        self.limits = limits
    }

    mutating func readAll() throws(PassFolderError) {
        var folders = [""]
        while let folder = folders.popLast() {
            for (name, type) in try entries(of: folder) {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                count += 1
                guard count <= limits.entries else {
                    throw .tooManyEntries(limit: limits.entries)
                }
                guard !name.hasPrefix("."), !PassFolder.made.contains(path) else {
                    leftOut.append(path)
                    continue
                }
                switch type {
                case .folder: folders.append(path)
                case .file:
                    // Strings are equal if they differ only in normalisation.
                    guard files.updateValue(try contents(of: path), forKey: path) == nil else {
                        throw .unsafeName(path: path)
                    }
                default: leftOut.append(path)
                }
            }
        }
    }

    private func entries(
        of folder: String
    ) throws(PassFolderError) -> [(name: String, type: EntryType)] {
        var entries: [(name: String, type: EntryType)] = []
        var unsafeNames: [String] = []
        do throws(FileError) {
            let place = folder.isEmpty ? root : "\(root)/\(folder)"
            let descriptor = try FileDescriptor.open(place, O_RDONLY | O_DIRECTORY)
            defer { descriptor.close() }
            try descriptor.forEachEntry { name, type in
                guard let text = safeName(name) else {
                    unsafeNames.append(String(streamSafe: name.indices.map { name[$0] }))
                    return
                }
                entries.append((text, type))
            }
        } catch {
            guard folder.isEmpty else { throw .unreadable(path: folder, FolderFault(error)) }
            let isThere = error.code != ENOENT && error.code != ENOTDIR
            throw isThere
                ? .unreadable(path: root, FolderFault(error)) : .notAFolder(path: root)
        }
        if let name = unsafeNames.first {
            throw .unsafeName(path: folder.isEmpty ? name : "\(folder)/\(name)")
        }
        for index in entries.indices where entries[index].type == .unknown {
            let path = folder.isEmpty ? entries[index].name : "\(folder)/\(entries[index].name)"
            entries[index].type = kind(of: "\(root)/\(path)")
        }
        return entries
    }

    private mutating func contents(of path: String) throws(PassFolderError) -> [UInt8] {
        let left = limits.total - size
        let bytes: [UInt8]
        do throws(FileError) {
            let file = try FileDescriptor.open("\(root)/\(path)", O_RDONLY | O_NOFOLLOW)
            defer { file.close() }
            bytes = try ByteSource(stream: file, prefix: []).prefix(left + 1)
        } catch {
            throw .unreadable(path: path, FolderFault(error))
        }
        guard bytes.count <= left else { throw .tooLarge(limit: limits.total) }
        size += bytes.count
        return bytes
    }
}

/// The name, if it is UTF-8 and safe in an archive.
private func safeName(_ name: Span<UInt8>) -> String? {
    let bytes = name.indices.map { name[$0] }
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\\") && $0 != 0x7f }
    return isPlain ? String(validatingStreamSafe: bytes) : nil
}

/// The type of a file on a file system that does not store types in folders.
private func kind(of path: String) -> EntryType {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return .other }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
}
