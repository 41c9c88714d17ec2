import Foundation
import Synchronization

/// A PostgreSQL server on a Unix socket, run by `postgresql.py`. It stops when the tests end.
package final class PostgreSQLServer: Sendable {
    /// The server for tests that do not stop it. It is started on first use.
    package static let shared = Result { try PostgreSQLServer() }

    package struct Failed: Error {
        let reason: String
    }

    private let process: Mutex<PythonProcess>

    /// The reason why no server can be started; nil if one can.
    package static let missing: String? = {
        guard let folder = programs else { return "PostgreSQL is not installed" }
        guard getuid() == 0 else { return nil }
        // As root, the tests run the server as the user nobody.
        let test = try? run(
            ["/usr/sbin/runuser", "-u", "nobody", "--", "\(folder)/initdb", "--version"], input: [])
        return test == nil ? "nobody cannot run \(folder)/initdb" : nil
    }()

    /// The folder with PostgreSQL's programs, installed or unpacked by `make test-packages`.
    private static var programs: String? {
        let unpacked = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../.build/postgresql").standardizedFileURL.path
        for root in ["/usr/lib/postgresql", "\(unpacked)/usr/lib/postgresql"] {
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
            for version in versions.sorted() {
                let folder = "\(root)/\(version)/bin"
                if FileManager.default.isExecutableFile(atPath: "\(folder)/initdb") {
                    return folder
                }
            }
        }
        return nil
    }

    package init() throws {
        process = Mutex(try PythonProcess("postgresql.py", Self.programs ?? ""))
        _ = try answer()
    }

    /// Creates a schema and returns its address.
    package func schema() throws -> String { try ask("schema") }

    /// Stops the server as `kill -9` would.
    package func stop() throws { _ = try ask("stop") }

    package func start() throws { _ = try ask("start") }

    /// Runs a statement and returns the rows of its result, separated by semicolons.
    package func sql(_ statement: String) throws -> String { try ask("sql \(statement)") }

    private func ask(_ command: String) throws -> String {
        try process.withLock { process in
            try process.input.write(contentsOf: Data("\(command)\n".utf8))
        }
        return try answer()
    }

    private func answer() throws -> String {
        try process.withLock { process in
            var line = Data()
            while let byte = try process.output.read(upToCount: 1), byte != Data("\n".utf8) {
                guard !byte.isEmpty else { throw Failed(reason: "it ended") }
                line += byte
            }
            return String(decoding: line, as: UTF8.self)
        }
    }
}
