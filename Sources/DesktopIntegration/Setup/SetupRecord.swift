internal import Foundation
package import PassSession

/// What `setup` did, or was about to do, so that it can be undone: written before anything is done.
package struct SetupRecord: Codable, Equatable {
    var version = 1
    /// Folders that were not there, the outer before the inner.
    var folders: [String] = []
    /// The files that were written, with the SHA-256 of each content they were given.
    var files: [String: [String]] = [:]
    /// Files that were not there, and are made by the programs that keep the desktop's databases.
    var generated: [String] = []
    var defaults: Defaults?
    var mailcap: Addition?

    struct Defaults: Codable, Equatable {
        let path: String
        /// The list as it was; nil where there was none.
        let before: String?
    }

    struct Addition: Codable, Equatable {
        let path: String
        /// What was added at the end.
        var text: String
        /// Whether there was no such file.
        let isNew: Bool
    }

    var isEmpty: Bool { self == SetupRecord() }

    package static func path(in environment: Environment) -> String {
        "\(environment.stateFolder)/setup.json"
    }

    /// The record of what was done before; an empty one where nothing was.
    package static func read(in environment: Environment) throws(Failure) -> SetupRecord {
        let path = path(in: environment)
        guard let bytes = try SmallFile(path).contents() else { return SetupRecord() }
        do {
            let record = try JSONDecoder().decode(SetupRecord.self, from: Data(bytes))
            guard record.version == 1 else {
                throw Failure.unreadable(path, reason: "it was written by a newer passconduit")
            }
            return record
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreadable(path, reason: "it is not the record of a setup")
        }
    }

    /// On the disk when this returns.
    package func write(in environment: Environment) throws(Failure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let path = SetupRecord.path(in: environment)
        guard let json = try? encoder.encode(self) else {
            throw .unwritable(path, reason: "it cannot be written as JSON")
        }
        try SmallFile(path).write(Array(json) + [UInt8(ascii: "\n")])
    }
}
