internal import Cryptography
public import PassSigning

/// A template of passes that are signed when a device first asks for them.
///
/// The store has one copy of the template's files, however many passes use it.
///
/// ```swift
/// let template = try PublishedTemplate(PassFolder(contentsOf: url))
/// for result in try await store.publish([row], of: template) { print(try result.get().publication) }
/// ```
public struct PublishedTemplate: Sendable {
    /// The template.
    public let template: PassTemplate
    /// The SHA-256 of its files' names and contents, in lower-case hexadecimal digits.
    public let digest: String
    let files: [String: [UInt8]]

    /// Reads the files of a folder.
    ///
    /// For example: `let columns = try PublishedTemplate(folder).template.columns.mandatory`
    ///
    /// - Throws: `TemplateError` as ``/PassSigning/PassTemplate`` does.
    public init(_ folder: PassFolder) throws(TemplateError) {
        template = try PassTemplate(folder)
        files = folder.files
        digest = listDigest(folder.files)
    }
}

/// The SHA-256 of a file list in the format of sha256sum(1).
func listDigest(_ files: [String: [UInt8]]) -> String {
    let lines = files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { "\(Digest.sha256($1))  \($0)\n" }
    return Digest.sha256(Array(lines.joined().utf8))
}
