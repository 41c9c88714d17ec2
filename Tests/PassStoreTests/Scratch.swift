import Foundation
import PassStore

/// A folder that is deleted after the test.
final class Scratch: Sendable {
    let url: URL

    init() {
        url = URL(fileURLWithPath: NSTemporaryDirectory())
            .appendingPathComponent("passconduit-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func files(_ folder: String) -> [String] {
        let folder = url.appendingPathComponent(folder)
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
        return (all ?? []).filter { $0.hasSuffix(".pkpass") }.sorted()
    }

    /// The names in a folder.
    func names(_ folder: String) -> [String] {
        let path = url.appendingPathComponent(folder).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// The single value that a query of the index returns.
    func query(_ query: String) throws -> String {
        try python(
            """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as connection:
                sys.stdout.write(str(connection.execute(sys.argv[2]).fetchone()[0]))
            """, query)
    }

    /// Runs statements on the index.
    func sqlite(_ statements: String) throws {
        _ = try python(
            """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as connection: connection.executescript(sys.argv[2])
            """, statements)
    }

    private func python(_ script: String, _ argument: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", script, url.appendingPathComponent("library.sqlite").path, argument,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw CocoaError(.fileWriteUnknown) }
        return String(decoding: answer, as: UTF8.self)
    }
}

extension LibraryFinding {
    /// The index that replaced a damaged one.
    var rebuilt: RebuiltIndex? {
        if case .damagedIndex(_, let rebuilt) = kind { rebuilt } else { nil }
    }
}
