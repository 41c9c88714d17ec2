internal import ArgumentParser
internal import Foundation
internal import PassImport
internal import PassPresentation
internal import PassStore
internal import PassVerification

/// How passes are judged.
struct TrustArguments: ParsableArguments {
    @Option(
        name: .customLong("trust-root"),
        help: ArgumentHelp(
            "Also trust this authority (PEM or DER file); repeatable.",
            valueName: "file"),
        completion: .file(extensions: ["pem", "cer", "crt", "der"]))
    var roots: [String] = []

    func validate() throws {
        if roots.contains("") { throw ValidationError("--trust-root needs the name of a file") }
    }
}

/// The time that passes are judged at. A pass enters the library for good, so that it is judged
/// as of its own time alone.
struct TimeArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Validate certificates at this time (2024-05-01, 2024-05-01T10:00:00Z) instead of the "
                + "signing time; only for `scan` and `verify`.",
            valueName: "date"),
        transform: date)
    var at: Date?
}

/// Where the library lies.
struct LibraryArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the library (default: $PASSCONDUIT_LIBRARY or your data folder).",
            valueName: "folder"),
        completion: .directory)
    var library: String?

    func validate() throws {
        if library == "" { throw ValidationError("--library needs the name of a folder") }
    }
}

/// How the results are printed.
struct OutputArguments: ParsableArguments {
    @Flag(help: "Print one JSON object per line.")
    var json = false
}

/// In what words a pass is shown.
struct LanguageArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The language of passes and messages (de, pt-BR; default: that of the locale).",
            valueName: "code"))
    var language: String?
}

/// What else may enter the library.
struct AcceptanceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also add passes with this verdict: untrusted or unsigned; repeatable.",
            valueName: "verdict"),
        completion: .list(Acceptance.allCases.map(\.rawValue)),
        transform: Acceptance.parse)
    var accept: [Acceptance] = []

    var policy: AdmissionPolicy { AdmissionPolicy(accepting: Set(accept.map(\.verdict))) }
}

/// A verdict below trusted that a person may let in.
enum Acceptance: String, CaseIterable {
    case untrusted, unsigned

    var verdict: Verdict { self == .untrusted ? .untrusted : .unsigned }

    /// The message is what the person reads, so it says why and not only that.
    static func parse(_ text: String) throws -> Acceptance {
        if let acceptance = Acceptance(rawValue: text) { return acceptance }
        let reason =
            switch Verdict(rawValue: text) {
            case .tampered: "a tampered pass is not what its issuer signed and is never imported"
            case .malformed: "a malformed pass cannot be read and is never imported"
            case .trusted: "trusted passes are always accepted"
            default: "only 'untrusted' or 'unsigned' can be accepted"
            }
        throw ValidationError(reason)
    }
}

/// A time as people type it: a day, or a day and a time, with a zone or in the one of this computer.
private func date(_ text: String) throws -> Date {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.isLenient = false
    for format in [
        "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mmXXXXX", "yyyy-MM-dd'T'HH:mm:ssXXXXX",
        "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss",
    ] {
        formatter.dateFormat = format
        if let date = formatter.date(from: text) { return date }
    }
    throw ValidationError("a date looks like 2024-05-01 or 2024-05-01T10:00:00Z")
}

/// A number from 1 up.
func positive(_ text: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw ValidationError("a number from 1 up") }
    return number
}

extension LibraryArguments {
    func folder(in shell: Shell) throws(Failure) -> URL {
        let path = shell.environment.library(library)
        // What is no UTF-8 came as U+FFFD: the path of another folder.
        guard !path.unicodeScalars.contains("\u{FFFD}") else {
            throw .usage("the path of the library is not UTF-8: \(path)")
        }
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    func library(for access: PassLibrary.Access, in shell: Shell) throws -> PassLibrary {
        try PassLibrary(at: folder(in: shell), for: access)
    }

    /// The library to import into. An index that is beyond use is made again from the pass files, and
    /// the person is told: a mail that waits for that to be done by hand would come back to its sender.
    func library(
        mendedBy verifier: PassVerifier, patience: Duration = .seconds(30), in shell: Shell
    ) throws -> PassLibrary {
        let console = shell.console
        let mending = IndexMending { octets in
            verifier.verify(Array(octets)).verified
        } report: { finding in
            console.problem("\(finding.path): \(translated(finding.detail))".escaped)
        }
        return try PassLibrary(at: folder(in: shell), patience: patience, mending: mending)
    }

    /// The library for reading, and from here on nothing else.
    func libraryAlone(in shell: Shell) throws -> PassLibrary {
        let folder = try folder(in: shell)
        try shell.confine(library: folder)
        return try PassLibrary(at: folder, for: .reading)
    }
}

extension TrustArguments {
    /// The verifier that believes Apple, the authorities in the trust folder, and those named here.
    func verifier(at date: Date? = nil, in shell: Shell) throws -> PassVerifier {
        try shell.verifier(believing: authorities(in: shell), at: date)
    }

    /// The authorities named here alone.
    func authorities(in shell: Shell) throws(Failure) -> TrustAnchors {
        var anchors = TrustAnchors.none
        for path in roots {
            let file = try shell.contents(of: path)
            do throws(TrustAnchorError) {
                anchors = try anchors.adding(file)
            } catch {
                throw .unreadable(path, reason: error.description)
            }
        }
        return anchors
    }
}
