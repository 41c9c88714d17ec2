import Bytes
import Foundation
import MailSource
import PassDetection
import PassLinks
import PassStore
import PassVerification

@testable import PassImport

/// A folder with mail made from the sample passes.
struct MailTree {
    let url: URL

    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func sample(_ name: String) throws -> Data {
        try Data(contentsOf: package.appendingPathComponent("Samples/passes/\(name).pkpass"))
    }

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    func write(_ data: Data, to name: String) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    /// Runs a line of `sh` in the folder.
    func shell(_ line: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", line]
        process.currentDirectoryURL = url
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }

    static func base64(_ data: Data) -> String {
        data.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
    }

    /// A message with a pass as its second part.
    static func message(_ subject: String, _ pass: Data) -> String {
        """
        From: a@example.com
        Date: Tue, 07 May 2024 10:00:00 +0000
        Message-ID: <\(subject)@example.com>
        Subject: \(subject)
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary=b

        --b

        See the ticket.
        --b
        Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"
        Content-Transfer-Encoding: base64

        \(base64(pass))
        --b--

        """
    }

    static func mbox(_ messages: [String]) -> String {
        messages.map { "From a@example.com Tue May  7 10:00:00 2024\n\($0)\n" }.joined()
    }

    static func options() throws -> ImportOptions {
        let root = package.appendingPathComponent("Samples/authority/root.pem")
        var options = ImportOptions()
        options.verifier = PassVerifier(
            anchors: try TrustAnchors(certificates: [Array(Data(contentsOf: root))]))
        return options
    }

    /// Runs an import of the tree and returns its result, with a line for each event.
    func run(_ options: ImportOptions, _ names: [String] = [""]) async throws -> RunResult {
        var lines: [String] = []
        let inputs = names.map {
            Input.path(Path($0.isEmpty ? url.path : url.appendingPathComponent($0).path))
        }
        var summary = try await PassImport.run(inputs, options) { event in
            lines.append(self.line(event))
        }
        summary.seconds = 0
        return RunResult(lines: lines, summary: summary)
    }

    private func line(_ event: Event) -> String {
        switch event {
        case .pass(let found):
            [
                relative(found.source), found.message.map { "\($0.index)@\($0.offset)" },
                found.part, found.name, found.verification.verdict.rawValue,
                found.imported?.rawValue,
            ].compactMap { $0 }.joined(separator: " ")
        case .link(let found):
            [
                relative(found.source), found.message.map { "\($0.index)@\($0.offset)" },
                found.part, found.link.url,
            ].compactMap { $0 }.joined(separator: " ")
        case .problem(let problem):
            [
                relative(problem.source), problem.message.map { "\($0.index)@\($0.offset)" },
                problem.part, problem.code,
            ].compactMap { $0 }.joined(separator: " ")
        }
    }

    private func relative(_ source: String) -> String {
        String(source.dropFirst(url.path.count + 1))
    }
}

struct RunResult {
    /// A line for each event.
    let lines: [String]
    let summary: Summary

    /// The last word of each line.
    var outcomes: [String] { lines.map { String($0.split(separator: " ").last ?? "") } }
}
