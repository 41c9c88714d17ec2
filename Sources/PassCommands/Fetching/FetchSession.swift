internal import Bytes
internal import Fetching
internal import Foundation
internal import Glibc
internal import Localization
internal import PassDetection
internal import PassDownloads
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification
internal import Platform

/// The resources of a command that fetches URLs. Create it before confinement, and use it
/// afterwards.
struct FetchSession {
    /// The folder for response bodies.
    let folder: String
    private let program: FetchProgram
    /// Stored with each download, for later attempts.
    private var conditions: DownloadConditions
    private let temporary: TemporaryFolder?
    /// Signals that would otherwise leave the temporary folder behind.
    private let signals: StopSignals?
    private let shell: Shell

    /// - Parameter folder: The folder for response bodies; nil for a temporary one.
    init(_ arguments: FetchArguments, in folder: String?, _ shell: Shell) throws(Failure) {
        if let folder {
            temporary = nil
            signals = nil
            self.folder = folder
        } else {
            do throws(FileError) {
                let made = try TemporaryFolder(
                    named: "passconduit-fetch-", in: shell.session.temporaryFolders)
                temporary = made
                signals = try StopSignals([SIGINT, SIGTERM, SIGHUP])
                self.folder = made.path
            } catch {
                throw .unwritable(localized("a temporary folder"), reason: error.phrase)
            }
        }
        program = try FetchProgram(
            writingTo: self.folder, arguments.permissions.configuration(in: shell.environment))
        conditions = arguments.conditions
        self.shell = shell
    }

    /// Stores these options with each download, so that every process that resumes one verifies
    /// passes in the same way.
    mutating func judge(with options: ImportOptions, believing authorities: TrustAnchors) {
        conditions.authorities = authorities.all.compactMap(\.pem)
        conditions.accepted = options.policy.accepted.sorted { $0.rawValue < $1.rawValue }
        conditions.types = options.types.additions
    }

    /// Connects to `passconduit-fetch`. With a library, downloads are queued until their passes are
    /// imported; without one, they are temporary. Call it after this process is confined.
    func begin(_ library: PassLibrary?) throws -> FetchedSources {
        if let temporary {
            signals?.begin { signal in
                temporary.remove()
                StopSignals.obey(signal)
            }
        }
        let queue =
            try library.map { DownloadQueue(of: $0) } ?? DownloadQueue.temporary(in: folder)
        return FetchedSources(
            queue, FetchWindow(try program.connect()), conditions, keepsQueue: library != nil,
            shell.console)
    }

    /// Removes the temporary folder.
    func end() {
        temporary?.remove()
        signals?.finish()
    }
}
