import Foundation
import Testing

/// `.ci/docs`, which checks the documentation of the libraries in the build of these tests.
enum DocumentationScript {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the build.
    private static let build = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The report of a check, which is empty if there is nothing to report.
    ///
    /// - Parameter check: The arguments of the script.
    static func report(_ check: String...) throws -> String {
        let process = Process()
        process.executableURL = package.appending(path: ".ci/docs")
        process.arguments = ["--build", build.path] + check
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let report = String(decoding: bytes, as: UTF8.self)
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == (report.isEmpty ? 0 : 1))
        return report
    }
}
