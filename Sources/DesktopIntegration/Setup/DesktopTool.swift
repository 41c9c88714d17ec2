internal import Foundation
internal import PassPresentation
internal import PassSession

/// A command-line tool that updates the desktop's databases or default applications.
struct DesktopTool {
    let name: String
    /// The Debian package that contains it.
    let package: String

    static let mimeDatabase = DesktopTool(name: "update-mime-database", package: "shared-mime-info")
    static let entryDatabase = DesktopTool(
        name: "update-desktop-database", package: "desktop-file-utils")
    static let defaults = DesktopTool(name: "xdg-mime", package: "xdg-utils")

    /// Runs the tool and returns its first line of output.
    @discardableResult
    package func run(
        _ arguments: [String], in environment: Environment,
        changing variables: [String: String] = [:]
    ) throws(Failure) -> String {
        guard let path = environment.program(named: name) else {
            throw .unreadable(
                name,
                reason: Phrase(
                    "there is no such program (Debian: {name})", ["name": .text(package)]))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = environment.variables.merging(variables) { $1 }
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw .unreadable(name, reason: Phrase("cannot be started"))
        }
        let answer = (try? output.fileHandleForReading.readToEnd()).flatMap { $0 } ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0, process.terminationReason == .exit else {
            let status = Phrase.Value.number(process.terminationStatus)
            throw .unreadable(
                name, reason: Phrase("it exited with status {number}", ["number": status]))
        }
        return String(String(decoding: answer, as: UTF8.self).prefix { $0 != "\n" })
    }
}
