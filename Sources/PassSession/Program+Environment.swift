package import Platform

extension Program {
    /// The folders of programs that are in every user's PATH.
    package static let systemFolders = ["/usr/local/bin", "/usr/bin", "/bin"]

    /// A program by its absolute path or its name in PATH.
    package init?(_ name: String, in environment: Environment) {
        let folders = environment["PATH"] ?? Program.systemFolders.joined(separator: ":")
        self.init(name, inPath: folders)
    }

    package static let viewerName = "passconduit-viewer"

    /// The program that shows passes in windows; nil if it is not installed.
    package static func viewer(in environment: Environment) -> Program? {
        Program(besideThisOne: viewerName) ?? Program(viewerName, in: environment)
    }
}
