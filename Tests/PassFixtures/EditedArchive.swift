import Foundation

/// The manifest of these files.
package func manifest(of files: [(name: String, bytes: [UInt8])]) throws -> String {
    try IssuerProcess.ask("manifest", files.map { ArchivedFile($0.name, $0.bytes) })
}

/// An archive of files, built by Python code.
///
/// - Parameters:
///   - edit: Python code that changes the list `e` of (name, bytes).
///   - write: Python code that writes `e` to the archive `z`.
package func archive(
    of files: [(name: String, bytes: [UInt8])], edit: String, write: String
) throws -> [UInt8] {
    struct Body: Encodable {
        let files: [ArchivedFile]
        let edit, write: String
    }
    let body = Body(
        files: files.map { ArchivedFile($0.name, $0.bytes) }, edit: edit, write: write)
    return Array(try IssuerProcess.ask("archive", body, as: Data.self))
}
