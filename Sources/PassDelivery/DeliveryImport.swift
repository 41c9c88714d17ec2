import Glibc
import MailSource
import Platform

/// Imports the passes of a message into the library, now or, with a spool, later.
struct DeliveryImport {
    enum Outcome {
        case noCandidate
        /// Its passes were imported, or were not accepted.
        case done
        /// The message was stored in the spool.
        case kept
        case tryAgain
    }

    private let importer: Importer
    /// Nil without a spool.
    private let spoolPath: Path?
    private let isSpooling: Bool
    private let tell: (DeliveryMessage) -> Void

    init(
        _ arguments: DeliveryArguments, _ environment: DeliveryEnvironment,
        tell: @escaping (DeliveryMessage) -> Void
    ) {
        importer = Importer(options: arguments.options)
        isSpooling = arguments.isSpooling
        spoolPath = arguments.isSpooling ? arguments.spoolFolder ?? environment.spoolFolder : nil
        self.tell = tell
    }

    /// A folder on the disk of the spool, for a message that does not fit in any other folder.
    func spoolingPlace() -> String? {
        guard let spoolPath, let spool = try? DeliverySpool(spoolPath) else { return nil }
        spool.close()
        return "\(spoolPath)/tmp"
    }

    /// Imports the message. Returns the outcome, and a line for each pass.
    func bringIn(
        _ message: inout SpooledMessage, _ schedule: DeliverySchedule
    ) -> (Outcome, answers: [String]) {
        var answers: [String] = []
        var attempts = 0
        do throws(FileError) {
            if let failure = message.failure { throw failure }
            let answer = SearchProcess.answer(for: message, until: schedule.search)
            guard answer == .candidate else { return (.noCandidate, []) }
            switch run(try message.wholeFile(), schedule, answers: &answers) {
            case .done:
                return (.done, answers)
            case .broken:
                // For a defect, retries by the mail system would finally bounce the mail. If memory
                // is limited, the cause may be a temporary shortage.
                if !isSpooling, !isMemoryLimited { return (.done, answers) }
                attempts = 1
            case .late:
                attempts = 1
            case .failed:
                break
            case .notStarted(let error):
                tell(.notStarted(error))
            }
        } catch {
            tell(.unreadable(error))
        }
        return (isSpooling ? keep(&message, attempts: attempts) : .tryAgain, answers)
    }

    /// Imports messages waiting from earlier runs, unless the library has just refused one.
    func drain(after outcome: Outcome, _ schedule: DeliverySchedule) {
        guard outcome == .done || outcome == .noCandidate, let spoolPath,
            let spool = DeliverySpool.holdingMessages(spoolPath)
        else { return }
        defer { spool.close() }
        // Mail without passes must not be delayed by an import that hangs.
        var isSound = outcome == .done
        spool.drain(
            isLibraryWell: outcome == .done, lastStart: schedule.lastStart, tell: tell
        ) { file in
            isSound = isSound || importer.isSound(until: schedule.step)
            guard isSound else { return .failed }
            var answers: [String] = []
            return run(file, schedule, answers: &answers)
        }
    }

    /// Runs import for a message. Returns `.broken` or `.late` only if import succeeds without a
    /// message, since then the message is likely the cause.
    private func run(
        _ file: FileDescriptor, _ schedule: DeliverySchedule, answers: inout [String]
    ) -> Importer.Exit {
        let outcome = importer.run(file, until: schedule.imports, answers: &answers)
        switch outcome {
        case .broken(let signal):
            tell(.endedBySignal(signal))
        case .late:
            tell(.late)
        default: return outcome
        }
        return importer.isSound(until: schedule.step) ? outcome : .failed
    }

    private func keep(_ message: inout SpooledMessage, attempts: Int) -> Outcome {
        guard let spoolPath else {
            tell(.noSpool)
            return .tryAgain
        }
        do throws(FileError) {
            let spool = try DeliverySpool(spoolPath)
            defer { spool.close() }
            try spool.keep(&message, attempts: attempts)
            tell(.kept(in: spoolPath))
            return .kept
        } catch {
            tell(.notKept(in: spoolPath, error))
            return .tryAgain
        }
    }
}

/// Whether memory is limited for this process and its children (`ulimit -v`, `ulimit -d`).
private var isMemoryLimited: Bool {
    [RLIMIT_AS, RLIMIT_DATA].contains { resource in
        var limit = rlimit()
        return unsafe getrlimit(CInt(resource.rawValue), &limit) == 0 && limit.rlim_cur != .max
    }
}
