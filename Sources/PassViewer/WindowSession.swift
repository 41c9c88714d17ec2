internal import Bytes
internal import Foundation
internal import Glibc
internal import PassImport
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

/// What windows share with the commands: how files are read and judged, what would become of a pass, and
/// the library. Nothing here prints anything but what is wrong with this computer's own settings.
struct WindowSession: Sendable {
    let displayLocale: DisplayLocale
    /// Whose folder is for all of it: as options and variables say.
    let folder: URL
    let pictures: PictureProgram
    private let arguments: WindowArguments
    let session: Session
    private let verifier: PassVerifier

    init(_ arguments: WindowArguments, in environment: Environment) throws {
        session = Session(
            environment: environment, arguments: CommandLine.argumentBytes(),
            report: { Viewer.report($0) })
        self.arguments = arguments
        displayLocale = DisplayLocale(environment, language: arguments.language.language)
        pictures = PictureProgram(scale: 2, languages: displayLocale.languages)
        folder = try arguments.place.folder(in: session)
        verifier = try arguments.trust.verifier(in: session)
    }

    /// Everything in these files and behind these URLs. Another process fetches, which can do little else.
    func open(_ files: [String]) async throws -> OpenedPasses {
        var opened = OpenedPasses(verifier, in: session)
        var sources: [OpenedPasses.NamedInput] = []
        var urls: [String] = []
        for file in files {
            do throws(Failure) {
                let target = try OpenTarget(file, in: session)
                if target.url != nil { urls.append(file) }
                if let source = target.source { sources.append(source) }
            } catch {
                opened.refuse(error)
            }
        }
        for source in sources { try await opened.read(source) }
        guard !urls.isEmpty else { return opened }
        let (request, problems) = try await fetch(urls)
        for source in try request.taken() { try await opened.read(source) }
        for problem in problems { opened.refuse(escapedClause: problem) }
        return opened
    }

    /// Waits on a thread of its own: those of Swift's tasks are as few as the cores.
    private func fetch(_ urls: [String]) async throws -> (OpenRequest, problems: [String]) {
        let handover = Handover(
            session: session, files: urls,
            options: ["--library", folder.path] + arguments.fetching.words)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                var problems: [String] = []
                continuation.resume(
                    with: Result { (try handover.handOver { problems.append($0) }, problems) })
            }
        }
    }

    /// A pass of the library as it is judged today, with who signed it.
    func verification(of octets: Data) -> Verification {
        verifier.verify(Array(octets))
    }

    func library(for access: PassLibrary.Access) throws -> PassLibrary {
        try PassLibrary(at: folder, for: access)
    }

    /// What would become of a pass; nil for one that can never enter.
    func prospect(of found: FoundPass) throws -> Prospect? {
        try arguments.place.prospect(of: found, in: session)
    }

    /// What it says differently from the one that it would replace, in escaped lines.
    func changes(in found: FoundPass, _ prospect: Prospect?) -> [String] {
        arguments.place.changes(found, prospect, displayLocale, in: session)
    }

    /// The octets that were judged, and not the file again, which may be another by now.
    func add(_ passes: [(VerifiedPass, Origin)]) throws -> [Admission] {
        try library(for: .writing).add(passes.map { IncomingPass(pass: $0.0, origin: $0.1) })
    }

    /// The versions of a pass, the one in front first, each with what it changed.
    func history(of pass: StoredPass, in library: PassLibrary) throws -> [PastVersion] {
        let versions = try library.versions(of: pass.identity)
        return History(versions, in: library, displayLocale).past
    }

    /// Removes passes that somebody saw, and wanted to be rid of at a moment; gives back those that stay,
    /// because a newer version of them came since.
    func remove(_ passes: [StoredPass], asOf moment: Date) throws -> [StoredPass] {
        try library(for: .changing).remove(passes, asOf: moment)
    }

    /// How long a mail program may take to say that it cannot be opened. Some come back only when they end.
    private static let patience = Duration.seconds(3)

    /// Has the person's mail program write a mail with these files; comes back when it is open, as far as
    /// one can tell.
    func mail(_ paths: [String]) throws {
        guard var program = OtherProgram("xdg-email", in: session.environment) else {
            throw Failure.notFound("xdg-email is not installed")
        }
        program.arguments = paths.flatMap { ["--attach", $0] }.map { Array($0.utf8) }
        let process = try program.start()
        guard let status = OtherProgram.wait(for: process, atMost: WindowSession.patience) else {
            // Somebody has to, or it stays in the list of processes.
            Thread.detachNewThread { _ = ExitStatus(of: process) }
            return
        }
        guard status.signal == 0, status.code == 0 else {
            throw Failure.notFound("no mail program could be opened")
        }
    }
}
