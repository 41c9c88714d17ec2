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

    /// Runs statements on the index.
    func sqlite(_ statements: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as connection: connection.executescript(sys.argv[2])
            """, url.appendingPathComponent("library.sqlite").path, statements,
        ]
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw CocoaError(.fileWriteUnknown) }
    }
}

extension LibraryFinding {
    /// The index that was made in the place of a damaged one.
    var rebuilt: RebuiltIndex? {
        if case .damagedIndex(_, let rebuilt) = kind { rebuilt } else { nil }
    }
}
