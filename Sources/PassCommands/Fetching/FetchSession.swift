internal import Bytes
internal import Fetching
internal import Foundation
internal import Glibc
internal import Localization
internal import PassDetection
internal import PassDownloads
internal import PassImport
internal import PassSession
internal import PassStore
internal import PassVerification

/// What a command that fetches begins before it is confined, and uses from then on.
struct FetchSession {
    /// Where bodies lie.
    let folder: String
    private let program: FetchProgram
    /// On which something is fetched, and judged where that may be later.
    private var conditions: DownloadConditions
    private let temporary: TemporaryFolder?
    /// What would leave that folder behind.
    private let signals: StopSignals?
    private let shell: Shell

    /// - Parameter folder: Where bodies lie; nil for a command that keeps nothing.
    init(_ arguments: FetchArguments, in folder: String?, _ shell: Shell) throws(Failure) {
        if let folder {
            temporary = nil
            signals = nil
            self.folder = folder
        } else {
            let places = [shell.environment["TMPDIR"], "/tmp", "/var/tmp"]
            do throws(FileError) {
                let made = try TemporaryFolder(
                    named: "passconduit-fetch-", in: places.compactMap(\.self))
                temporary = made
                signals = try StopSignals([SIGINT, SIGTERM, SIGHUP])
                self.folder = made.path
            } catch {
                throw .unwritable(localized("a temporary folder"), reason: error.description)
            }
        }
        program = try FetchProgram(
            writingTo: self.folder, FetchConfiguration(in: shell.environment))
        conditions = arguments.conditions
        self.shell = shell
    }

    /// Has passes judged as these options say, also by whoever goes on with a download later.
    mutating func judge(with options: ImportOptions, believing authorities: TrustAnchors) {
        conditions.authorities = authorities.all.compactMap(\.pem)
        conditions.accepted = options.policy.accepted.sorted { $0.rawValue < $1.rawValue }
        conditions.types = options.types.additions
    }

    /// What is fetched is kept in a queue until it is in the library; without one, no longer than this.
    /// To be called once this process is confined.
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
            queue: queue, window: FetchWindow(try program.connect()), conditions: conditions,
            console: shell.console, keepsQueue: library != nil)
    }

    /// Removes what was for this command alone.
    func end() {
        temporary?.remove()
        signals?.finish()
    }
}
