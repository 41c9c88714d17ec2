internal import Bytes
internal import DesktopIntegration
internal import Foundation
internal import Glibc
internal import Localization
internal import MailSource
internal import PassDrawing
internal import PassImport
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification
internal import Platform

/// The operations that windows share with the commands: verifying files, adding passes, using the
/// library. It prints nothing but problems with the user's settings.
struct WindowSession: Sendable {
    /// How long to wait for xdg-email to fail. With some mail programs it ends only when they do.
    private static let patience = Duration.seconds(3)

    let displayLocale: DisplayLocale
    /// The folder of the library, from the options or the variables.
    private let folder: URL
    private let pictures: PictureProgram
    private let arguments: WindowArguments
    private let session: Session
    private let trust: CurrentTrust

    init(_ arguments: WindowArguments, in environment: Environment) throws {
        session = Session(
            environment: environment, arguments: CommandLine.argumentBytes(),
            report: { Viewer.report($0) })
        self.arguments = arguments
        displayLocale = DisplayLocale(environment, language: arguments.language.language)
        pictures = PictureProgram(scale: 2, languages: displayLocale.languages)
        folder = try arguments.place.folder(in: session)
        trust = try CurrentTrust(arguments.trust, in: session)
    }

    /// Separates the passes of the library, named by their URLs, from everything else.
    func divided(_ arguments: [String]) -> (stored: [PassIdentity], others: [String]) {
        var stored: [PassIdentity] = []
        var others: [String] = []
        for argument in arguments {
            if case .stored(let pass) = try? SourceWord(argument, in: session) {
                stored.append(pass)
            } else {
                others.append(argument)
            }
        }
        return (stored, others)
    }

    /// Returns escaped clauses about those of the passes that are not in the library.
    func missing(of passes: [PassIdentity]) -> [PassIdentity: String] {
        var missing: [PassIdentity: String] = [:]
        for pass in passes {
            do throws(Failure) {
                _ = try arguments.place.file(of: pass, in: session)
            } catch {
                missing[pass] = error.phrase.localized.escaped
            }
        }
        return missing
    }

    /// Reads files and URLs. URLs are fetched by a confined process.
    func open(_ files: [String]) async throws -> OpenedPasses {
        var opened = OpenedPasses(trust.verifier, in: session)
        var sources: [OpenedPasses.NamedInput] = []
        var stored: [PassIdentity] = []
        var urls: [String] = []
        for file in files {
            do throws(Failure) {
                let target = try OpenTarget(file, in: session)
                if target.url != nil { urls.append(file) }
                if let source = target.source { sources.append(source) }
                if let pass = target.stored { stored.append(pass) }
            } catch {
                opened.refuse(error)
            }
        }
        for source in sources { try await opened.read(source) }
        for pass in stored { try await opened.read(pass, of: arguments.place, in: session) }
        guard !urls.isEmpty else { return opened }
        let (request, problems) = try await fetch(urls)
        for source in try request.taken() { try await opened.read(source) }
        for problem in problems { opened.refuse(escapedClause: problem) }
        return opened
    }

    /// Waits on a thread of its own: a blocked Swift task would hold one of the few threads of the
    /// task pool.
    private func fetch(_ urls: [String]) async throws -> (OpenRequest, problems: [String]) {
        let builder = OpenRequestBuilder(
            session: session, files: urls, place: arguments.place,
            options: ["--library", folder.path] + arguments.fetching.words)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                var problems: [String] = []
                continuation.resume(
                    with: Result { (try builder.build { problems.append($0) }, problems) })
            }
        }
    }

    /// Verifies a pass of the library at the current time, with its signer.
    func verification(of octets: Data) -> Verification {
        trust.verifier.verify(Array(octets))
    }

    /// The anchors that the user trusts now.
    var anchors: TrustAnchors { trust.verifier.anchors }

    func library(for access: PassLibrary.Access) throws -> PassLibrary {
        try PassLibrary(at: folder, for: access)
    }

    /// What adding the pass would change; nil for a pass that can never be added.
    func prospect(of found: FoundPass) throws -> Prospect? {
        try arguments.place.prospect(of: found, in: session)
    }

    /// How the pass differs from the one that it would replace, in escaped lines.
    func changes(in found: FoundPass, _ prospect: Prospect?) -> [String] {
        arguments.place.changes(found, prospect, displayLocale, in: session)
    }

    /// Adds the bytes that were verified; the files may have changed since.
    func add(_ passes: [(VerifiedPass, Origin)]) throws -> [Admission] {
        try library(for: .writing).add(passes.map { IncomingPass(pass: $0.0, origin: $0.1) })
    }

    /// Draws the face of a pass, with images that another process decoded.
    ///
    /// - Parameter now: Decides whether the pass has expired; nil for the start of the program.
    func face(of pass: Pass, _ octets: SpooledBytes?, at now: Date? = nil) -> PassFace {
        let bytes = octets.flatMap { pictures.pictures(of: $0) }
        return PassFace(
            pass, bytes.flatMap { FacePictures(bytes: $0) } ?? .none,
            for: FaceOptions(now.map(displayLocale.reading) ?? displayLocale))
    }

    /// The versions of a pass, the current one first, with the changes of each.
    func history(of pass: StoredPass, in library: PassLibrary) throws -> [PastVersion] {
        let versions = try library.versions(of: pass.identity)
        return History(versions, in: library, displayLocale).past
    }

    /// Removes passes, except those that got a newer version after `moment`, which are returned.
    func remove(_ passes: [StoredPass], asOf moment: Date) throws -> [StoredPass] {
        try library(for: .changing).remove(passes, asOf: moment)
    }

    func set(_ setting: PassSetting, to isOn: Bool, of pass: PassIdentity) throws {
        try library(for: .changing).set(setting, to: isOn, of: [pass])
    }

    enum UpdateResult {
        /// The changes, as escaped lines.
        case updated([String])
        case unchanged
        /// The reason, as escaped lines.
        case failed(String)
    }

    /// Asks the issuer for a newer version of a pass, in another process that may use the network.
    func update(_ pass: StoredPass) throws -> UpdateResult {
        let words =
            ["update", "--hosts", "--library", folder.path]
            + arguments.trust.roots.flatMap { ["--trust-root", $0] } + arguments.fetching.words
            + ["--", pass.identity.passURL.absoluteString]
        if let problem = try problem(ofRunning: words) {
            return .failed(problem.isEmpty ? localized("the issuer could not be asked") : problem)
        }
        let library = try library(for: .reading)
        guard let now = try library.pass(pass.identity), now.current.id != pass.current.id
        else { return .unchanged }
        return .updated(Array(try history(of: now, in: library).first?.changes.prefix(5) ?? []))
    }

    /// Mends a damaged library, in another process.
    ///
    /// - Returns: What could not be mended, as escaped lines.
    func mend() throws -> String? {
        let words = ["library", "check", "--mend", "--library", folder.path]
        return try problem(ofRunning: words).map {
            $0.isEmpty
                ? localized(
                    "not everything could be mended; run {command}",
                    ["command": "passconduit library check"]) : $0
        }
    }

    /// Runs a command of passconduit.
    ///
    /// - Returns: Nil if it succeeded; otherwise its first error messages, as escaped lines.
    private func problem(ofRunning words: [String]) throws -> String? {
        guard var program = Program(besideThisOne: "passconduit") else {
            return "passconduit: \(localized("cannot be started"))"
        }
        program.arguments = words.map { Array($0.utf8) }
        let (problems, status) = try program.errors(limit: 1 << 14)
        guard status?.code != ExitCode.done.rawValue else { return nil }
        let prefix = "passconduit: "
        return String(streamSafe: problems).split(separator: "\n").prefix(5).map {
            clipped(String($0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : $0), to: 300)
        }.joined(separator: "\n")
    }

    func copyFolder() throws -> CopyFolder {
        try CopyFolder(in: session.temporaryFolders)
    }

    /// Writes a file atomically. The file dialogue has asked before overwriting.
    func export(_ octets: Data, to path: String) throws {
        try session.write(Array(octets), to: path, overwriting: true)
    }

    /// Writes passes into a folder under unused names, each file atomically. Stops at the first
    /// write error, since further writes would fail too.
    ///
    /// - Returns: The number of files written, and escaped clauses about the others.
    func export(
        _ passes: [StoredPass], into folder: String
    ) -> (count: Int, problems: [String]) {
        var count = 0
        var problems: [String] = []
        do {
            let library = try library(for: .reading)
            for pass in passes {
                do {
                    let octets = try library.octets(of: pass.current)
                    let path = WindowSession.freePath(for: pass, in: folder)
                    try session.write(Array(octets), to: path, overwriting: false)
                    count += 1
                } catch let error as LibraryError {
                    problems.append(error.phrase.localized.escaped)
                }
            }
        } catch {
            problems.append(error.phrase.localized.escaped)
        }
        return (count, problems)
    }

    private static func freePath(for pass: StoredPass, in folder: String) -> String {
        let name = fileName(named: pass.current.headline)
        let stem = name.dropLast(".pkpass".count)
        var path = "\(folder)/\(name)"
        var number = 2
        while FileManager.default.fileExists(atPath: path), number < 10_000 {
            path = "\(folder)/\(stem)-\(number).pkpass"
            number += 1
        }
        return path
    }

    /// Opens a message with these attachments in the user's mail program. Throws if xdg-email fails
    /// within ``patience``.
    func mail(_ paths: [String]) throws {
        guard var program = Program("xdg-email", in: session.environment) else {
            throw Failure.notFound(Phrase("xdg-email is not installed"))
        }
        program.arguments = paths.flatMap { ["--attach", $0] }.map { Array($0.utf8) }
        let process = try program.start()
        let end = process.wait(until: .after(WindowSession.patience))
        guard case .ended(let status?) = end else {
            // Reap the process when it ends.
            Thread.detachNewThread { process.wait() }
            return
        }
        guard status.code == 0 else {
            throw Failure.notFound(Phrase("no mail program could be opened"))
        }
    }

    /// Reports an error when its window is closed, to standard error and as a notification.
    func report(_ problem: String, titled title: String) {
        session.report(problem)
        DesktopNotification(title: title, lines: [problem]).show(in: session.environment)
    }
}

extension FaceOptions {
    init(_ displayLocale: DisplayLocale) {
        self.init(
            languages: displayLocale.languages, locale: displayLocale.locale,
            timeZone: displayLocale.timeZone,
            now: displayLocale.now)
    }
}
