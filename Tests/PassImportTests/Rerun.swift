import Foundation
import PassStore

@testable import PassImport

/// A tree that is imported repeatedly into one library, and each time into a new one as well.
struct Rerun {
    let tree: MailTree
    var options: ImportOptions
    let names: [String]

    init(_ names: [String] = ["mail"]) throws {
        self.names = names
        tree = try MailTree()
        options = try MailTree.options()
        options.settling = 0
        options.library = try PassLibrary(
            at: tree.url.appendingPathComponent("library"), for: .writing)
    }

    func remove() { tree.remove() }

    /// Imports new mail.
    func again() async throws -> RunResult {
        // Wait for the clock of the file system, so that later changes have other timestamps.
        try await Task.sleep(for: .milliseconds(20))
        let result = try await tree.run(options, names)
        try await Task.sleep(for: .milliseconds(20))
        return result
    }

    /// Imports everything into a new library.
    func whole() async throws -> (result: RunResult, passes: Set<String>) {
        let place = tree.url.appendingPathComponent("libraries/\(UUID().uuidString)")
        var options = options
        let library = try PassLibrary(at: place, for: .writing)
        options.library = library
        options.settling = nil
        return (try await tree.run(options, names), try Rerun.passes(library))
    }

    var passes: Set<String> {
        get throws { try options.library.map(Rerun.passes) ?? [] }
    }

    private static func passes(_ library: PassLibrary) throws -> Set<String> {
        var digests: Set<String> = []
        for pass in try library.passes() {
            digests.formUnion(try library.versions(of: pass.identity).map(\.sha256))
        }
        return digests
    }
}

extension RunResult {
    /// The lines without the library's outcomes.
    var found: [String] {
        let outcomes: Set<Substring> = ["added", "updated", "unchanged", "older"]
        return lines.map { line in
            var words = line.split(separator: " ", omittingEmptySubsequences: false)
            if let last = words.last, outcomes.contains(last) { words.removeLast() }
            return words.joined(separator: " ")
        }
    }
}
