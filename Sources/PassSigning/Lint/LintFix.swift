internal import Bytes
package import Foundation
internal import Glibc
internal import PassModel
internal import Platform

/// A change of a folder that corrects a mistake in it.
///
/// For example: `if case .rename(let file, let name) = finding.fix { print("mv \(file) \(name)") }`
public enum LintFix: Sendable, Hashable {
    /// Remove a file that an operating system created.
    case remove(file: String)
    /// Rename a file; there is none of the new name.
    case rename(file: String, to: String)
    /// Write a text file in UTF-8 without a byte order mark.
    case encode(file: String)
    /// Replace the bytes of a range in a text file. The range counts from the beginning of the text
    /// in UTF-8, without a byte order mark.
    case replace(file: String, Range<Int>, with: String)
}

extension LintFix {
    fileprivate var file: String {
        switch self {
        case .remove(let file), .rename(let file, _), .encode(let file),
            .replace(let file, _, _):
            file
        }
    }
}

extension PassFolder {
    /// Applies the fixes of findings to the files of a folder, each file durably.
    ///
    /// Of several replacements that overlap, only the first is made: lint the folder again.
    ///
    /// - Parameter url: The folder that was read and linted.
    /// - Throws: ``PassFolderError`` if a file cannot be changed; the others may have been.
    package func apply(_ fixes: [LintFix], to url: URL) throws(PassFolderError) {
        let root = url.path(percentEncoded: false)
        for (file, text) in fixedTexts(fixes) {
            try change(file) { () throws(FileError) in
                try DurableFile("\(root)/\(file)".utf8).write(
                    text, mode: mode(of: "\(root)/\(file)"))
            }
        }
        for fix in fixes {
            switch fix {
            case .remove(let file):
                try change(file) { () throws(FileError) in
                    try DurableFile("\(root)/\(file)".utf8).remove()
                }
            case .rename(let file, let name):
                guard !isThere("\(root)/\(name)") else { continue }
                try change(file) { () throws(FileError) in
                    try DurableFile.move("\(root)/\(file)".utf8, to: "\(root)/\(name)".utf8)
                }
            case .encode, .replace: break
            }
        }
    }

    /// The new contents of the text files with fixes.
    private func fixedTexts(_ fixes: [LintFix]) -> [(file: String, text: [UInt8])] {
        var edits: [String: [(range: Range<Int>, text: String)]] = [:]
        for fix in fixes {
            switch fix {
            case .encode(let file): edits[file, default: []] += []
            case .replace(let file, let range, let text):
                edits[file, default: []].append((range, text))
            case .remove, .rename: break
            }
        }
        return edits.sorted { $0.key < $1.key }.compactMap { file, edits in
            files[file].map { (file, edited(plainText($0), edits)) }
        }
    }
}

/// The text with replacements; of those that overlap, the first.
private func edited(
    _ text: [UInt8], _ edits: [(range: Range<Int>, text: String)]
) -> [UInt8] {
    var result: [UInt8] = []
    var end = 0
    for (range, replacement) in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
        guard range.lowerBound >= end, range.upperBound <= text.count else { continue }
        result += text[end..<range.lowerBound]
        result += replacement.utf8
        end = range.upperBound
    }
    return result + text[end...]
}

private func change(
    _ file: String, _ body: () throws(FileError) -> Void
) throws(PassFolderError) {
    do throws(FileError) {
        try body()
    } catch {
        throw .unreadable(path: file, FolderFault(error))
    }
}

/// The permissions of a file, so that its new version has the same.
private func mode(of path: String) -> UInt32 {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return 0o666 }
    return status.st_mode & 0o777
}

private func isThere(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
}
