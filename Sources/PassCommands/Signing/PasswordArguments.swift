internal import ArgumentParser
internal import Bytes
internal import Cryptography
internal import Glibc
internal import Localization
internal import PassPresentation
internal import PassSession
internal import Platform

/// The options for a password. It is never an argument, which other users of the computer see.
struct PasswordArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the password or PIN from the first line of this file, instead of asking.",
            valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Option(
        name: .customLong("password-fd"),
        help: ArgumentHelp(
            "Read the password or PIN from this file descriptor.", valueName: "number"))
    var passwordDescriptor: Int32?

    func validate() throws {
        guard passwordFile == nil || passwordDescriptor == nil else {
            throw ValidationError("use one of --password-file and --password-fd")
        }
        if passwordFile == "" {
            throw ValidationError("--password-file needs the name of a file")
        }
        if let passwordDescriptor, passwordDescriptor < 0 {
            throw ValidationError("--password-fd needs the number of an open file")
        }
    }

    /// Whether a password is given.
    var isGiven: Bool { passwordFile != nil || passwordDescriptor != nil }

    /// The given password; nil if none is.
    func given(in shell: Shell) throws(Failure) -> Secret? {
        if let passwordFile {
            return try firstLine(of: passwordFile) { () throws(FileError) in
                try open(shell.session.path(passwordFile), O_RDONLY)
            }
        }
        if let passwordDescriptor {
            return try firstLine(of: "--password-fd \(passwordDescriptor)") {
                FileDescriptor(passwordDescriptor)
            }
        }
        return nil
    }

    private func firstLine(
        of name: String, _ opened: () throws(FileError) -> FileDescriptor
    ) throws(Failure) -> Secret {
        do throws(FileError) {
            let file = try opened()
            defer { file.close() }
            return try Secret(firstLineOf: file)
        } catch {
            throw .unreadable(name, reason: error.phrase)
        }
    }
}
