import Foundation

/// The result of curl for a server. Another client than ours shows that the server itself is
/// correct.
struct Curl {
    /// curl's exit code.
    let status: Int32
    /// The header block of the last response.
    let head: String
    let body: Data
    let errors: String

    /// The number in the status line.
    var code: Int? { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

    subscript(name: String) -> String? {
        head.split(separator: "\r\n").map { $0.split(separator: ":", maxSplits: 1) }
            .first { $0.first?.lowercased() == name.lowercased() }?
            .last.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The user's environment variables are not passed on.
    init(
        _ arguments: String..., environment: [String: String] = [:], keepsBody: Bool = true
    ) throws {
        try self.init(arguments, environment: environment, keepsBody: keepsBody)
    }

    init(
        _ arguments: [String], environment: [String: String] = [:], keepsBody: Bool = true
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-curl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["head", "body", "errors"].map { folder.appendingPathComponent($0) }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments =
            ["-q", "-sS", "--max-time", "60", "-D", files[0].path, "-o"]
            + [keepsBody ? files[1].path : "/dev/null"] + arguments
        process.environment = environment
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        head =
            String(decoding: try Data(contentsOf: files[0]), as: UTF8.self)
            .components(separatedBy: "\r\n\r\n").last { !$0.isEmpty } ?? ""
        body = try Data(contentsOf: files[1])
        errors = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
    }
}
