import Foundation
import PassModel
import PassPresentation
import PassStore
import PassVerification

/// The program of an airline for its customers' computers. It sees the boarding passes of the
/// airline in the person's library, and no other pass.
@main
struct Companion {
    /// The pass types of the airline.
    static let passTypes: Set = ["pass.example.nimbus"]

    static let usage = """
        companion list             the boarding passes in the library
        companion show SERIAL      the fields of one
        companion open SERIAL      show one in a window
        companion add FILE         ask whether to add a new one
        companion replace FILE     replace one with a newer version
        companion watch            print changes until ^C
        """

    static func main() async {
        reader.use()
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch let error as any Worded {
            fail(error.phrase.localized)
        } catch let error as Failure {
            fail(error.message)
        } catch {
            fail(error.localizedDescription)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        switch (arguments.first, arguments.dropFirst().first, arguments.count) {
        case ("list", nil, 1): try list()
        case ("show", let serial?, 2): try show(serial)
        case ("open", let serial?, 2):
            try passconduit("open", try pass(serial).passURL.absoluteString)
        case ("add", let file?, 2): try passconduit("open", "--", file)
        case ("replace", let file?, 2): try replace(with: file)
        case ("watch", nil, 1): try await watch()
        default: throw Failure(message: usage)
        }
    }

    /// The library of the person, as the command `passconduit` finds it. Only `replace` changes it.
    private static func library(
        for access: PassLibrary.Access = .reading
    ) throws(LibraryError) -> PassLibrary {
        try PassLibrary(passTypeIdentifiers: passTypes, for: access)
    }

    private static func pass(_ serial: String) throws -> StoredPass {
        let library = try library()
        for type in passTypes {
            if let pass = try library.pass(withPassTypeIdentifier: type, serialNumber: serial) {
                return pass
            }
        }
        throw Failure(message: "no pass \(serial)")
    }

    private static func list() throws {
        let library = try library()
        for stored in try library.passes(sortedBy: .relevantDate) {
            write(try line(for: stored, in: library))
        }
    }

    private static func line(for stored: StoredPass, in library: PassLibrary) throws -> String {
        let pass = try library.localized(stored, for: reader.languages)
        let departure = pass.pass.relevantDate.map { reader.shortMoment($0) }
        let gate = pass.fields["gate"].map { "\($0.label ?? "gate") \(reader.value(of: $0))" }
        let parts = [stored.serialNumber, pass.localizedDescription, departure, gate]
        return parts.compactMap(\.self).joined(separator: "  ").escaped
    }

    private static func show(_ serial: String) throws {
        let library = try library()
        let stored = try pass(serial)
        let pass = try library.localized(stored, for: reader.languages)
        write(reader.headline(pass.pass).escaped)
        for field in pass.fields.all {
            write("\(field.label ?? field.key): \(reader.value(of: field))".escaped)
        }
        if let icon = try library.image(.icon, of: stored.current, scale: 2) {
            write("icon: \(icon.count) bytes")
        }
    }

    /// Replaces a pass without a question: the airline issued both versions.
    private static func replace(with file: String) throws {
        let verification = try PassVerifier.default.verify(
            contentsOf: URL(fileURLWithPath: file))
        guard verification.verdict == .trusted, let pass = verification.verified else {
            let reasons = verification.reasons.map(\.phrase.localized)
            throw Failure(message: "\(file): \(reasons.joined(separator: "; "))")
        }
        guard passTypes.contains(pass.pass.passTypeIdentifier) else {
            throw Failure(message: "\(file): a pass of another issuer")
        }
        let library = try library(for: .changing)
        let incoming = IncomingPass(pass: pass, origin: Origin(source: file))
        switch try library.replace(with: incoming) {
        case .updated: print("updated")
        case .unchanged: print("unchanged")
        default: print("a newer version is in the library")
        }
    }

    private static func watch() async throws {
        let library = try library()
        for await change in try library.changes() {
            switch change {
            case .added(let identity), .updated(let identity):
                // It may be gone by now.
                guard let stored = try library.pass(identity) else { continue }
                write("changed \(try line(for: stored, in: library))")
            case .removed(let identity): write("removed \(identity.serialNumber.escaped)")
            case .everything: try list()
            }
        }
    }

    /// Writes a line at once, also to a pipe.
    private static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// `passconduit open` shows passes, and asks the person before it adds one.
    private static func passconduit(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["passconduit"] + arguments
        try process.run()
        process.waitUntilExit()
        exit(process.terminationStatus)
    }

    private static let reader = DisplayLocale.current

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("companion: \(message)\n".utf8))
        exit(1)
    }
}

private struct Failure: Error {
    let message: String
}
