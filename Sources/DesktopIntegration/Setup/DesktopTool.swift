internal import PassPresentation
internal import PassSession
internal import Platform

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
        guard var program = Program(name, in: environment) else {
            throw .unreadable(
                name,
                reason: Phrase(
                    "there is no such program (Debian: {name})", ["name": .text(package)]))
        }
        program.arguments = arguments.map { Array($0.utf8) }
        program.variables = environment.variables.merging(variables) { $1 }
        guard let (answer, status) = try? program.output(limit: 1 << 16, discardsErrors: true)
        else { throw .unreadable(name, reason: Phrase("cannot be started")) }
        guard let status, status.code == 0 else {
            let number = Phrase.Value.number(status?.code ?? status?.signal ?? -1)
            throw .unreadable(
                name, reason: Phrase("it exited with status {number}", ["number": number]))
        }
        return String(String(decoding: answer, as: UTF8.self).prefix { $0 != "\n" })
    }
}
