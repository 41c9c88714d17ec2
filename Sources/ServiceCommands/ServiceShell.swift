internal import ArgumentParser
internal import Glibc
internal import PassModel
internal import PassPresentation
internal import PassService
package import PassSession
package import Platform

/// A command's access to its environment and standard streams.
package struct ServiceShell: Sendable {
    package var session: Session
    private let output: FileDescriptor
    private let errors: FileDescriptor

    package init(
        _ environment: Environment, arguments: [[UInt8]] = [],
        output: FileDescriptor = FileDescriptor(STDOUT_FILENO),
        errors: FileDescriptor = FileDescriptor(STDERR_FILENO)
    ) {
        self.output = output
        self.errors = errors
        session = Session(environment: environment, arguments: arguments) { clause in
            report(clause, to: errors)
        }
    }

    /// Prints a result; `line` must be escaped.
    func print(_ line: String) throws(FileError) {
        try output.writeAll(Array("\(line)\n".utf8).span)
    }

    /// Prints a record, or an escaped line for people.
    func print(_ record: some Encodable, asJSON: Bool, _ line: @autoclosure () -> String) throws {
        guard asJSON else { return try print(line()) }
        let json = try jsonLine(record)
        try print(isatty(output.number) == 1 ? json.escapedInJSON : json)
    }

    /// Prints what was published.
    ///
    /// - Parameter file: Nil for a pass that was changed in the store.
    func print(
        _ publication: Publication, of pass: Pass, sha256: String, from file: String?,
        asJSON: Bool
    ) throws {
        try print(
            PublicationRecord(file, pass, sha256: sha256, publication), asJSON: asJSON,
            "\(publication.phrase.localized) \(pass.identity)".escaped)
    }

    /// Prints a line of the log; it must be escaped.
    func log(_ line: String) {
        try? errors.writeAll(Array("\(line)\n".utf8).span)
    }

    /// Prints a problem; `clause` must be escaped.
    func problem(_ clause: String) {
        report(clause, to: errors)
    }
}

private func report(_ clause: String, to errors: FileDescriptor) {
    try? errors.writeAll(Array("passconduit-serve: \(clause)\n".utf8).span)
}

/// A command of the program.
protocol ServiceVerb: ParsableCommand {
    var language: LanguageArguments { get }

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode
}
