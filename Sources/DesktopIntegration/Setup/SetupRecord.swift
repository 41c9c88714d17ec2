internal import Foundation
internal import PassPresentation
package import PassSession

/// What `setup` changed, so that it can be undone. Written before any change.
package struct SetupRecord: Codable, Equatable {
    private var version = 1
    /// Folders that setup created, parents first.
    private(set) var folders: [String] = []
    /// Files that setup wrote, with the SHA-256 of each version.
    private(set) var files: [String: [String]] = [:]
    /// Files that the desktop's tools created because of setup.
    private(set) var generated: [String] = []
    private(set) var defaults: Defaults?
    private(set) var mailcap: Addition?

    struct Defaults: Codable, Equatable {
        let path: String
        /// The previous content; nil if there was no file.
        let before: String?
    }

    struct Addition: Codable, Equatable {
        let path: String
        /// The text that was appended.
        let text: String
        /// Whether the file was created.
        let isNew: Bool
    }

    var isEmpty: Bool { self == SetupRecord() }

    /// Notes a file that setup will write, and its missing parent folders.
    mutating func note(_ file: String, sha256: String) {
        if files[file]?.contains(sha256) != true { files[file, default: []].append(sha256) }
        noteFolders(above: file)
    }

    /// Notes a file that the desktop's tools will create, and its missing parent folders.
    mutating func note(generated file: String) {
        if !generated.contains(file) { generated.append(file) }
        noteFolders(above: file)
    }

    mutating func note(_ defaults: Defaults) {
        self.defaults = defaults
        noteFolders(above: defaults.path)
    }

    mutating func note(_ mailcap: Addition) {
        self.mailcap = mailcap
        noteFolders(above: mailcap.path)
    }

    /// Notes the missing parent folders of a file.
    mutating func noteFolders(above file: String) {
        for folder in missingFolders(above: file) where !folders.contains(folder) {
            folders.append(folder)
        }
    }

    package static func path(in environment: Environment) -> String {
        "\(environment.stateFolder)/setup.json"
    }

    /// Reads the record; empty if there is none.
    package static func read(in environment: Environment) throws(Failure) -> SetupRecord {
        let path = path(in: environment)
        guard let bytes = try SmallFile(path).contents() else { return SetupRecord() }
        do {
            let record = try JSONDecoder().decode(SetupRecord.self, from: Data(bytes))
            guard record.version == 1 else {
                throw Failure.unreadable(
                    path, reason: Phrase("it was written by a newer passconduit"))
            }
            return record
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreadable(path, reason: Phrase("it is not a record of setup"))
        }
    }

    /// Returns once the record is on disk.
    package func write(in environment: Environment) throws(Failure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let path = SetupRecord.path(in: environment)
        guard let json = try? encoder.encode(self) else {
            throw .unwritable(path, reason: Phrase("it cannot be written as JSON"))
        }
        try SmallFile(path).write(Array(json) + [UInt8(ascii: "\n")])
    }
}
