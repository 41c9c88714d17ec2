import Bytes
import Glibc
import MailSource

/// DeliveryImport the passes of a message into the library, now or, with a spool, later.
struct DeliveryImport {
    enum Outcome {
        case noCandidate
        /// Its passes are in the library, or are none that it takes.
        case done
        /// It waits in the spool.
        case kept
        case tryAgain
    }

    private let importer: Importer
    /// Nil where no message is to be kept.
    private let spoolPath: Path?
    private let isSpooling: Bool
    private let tell: (String) -> Void

    init(
        _ arguments: DeliveryArguments, _ environment: DeliveryEnvironment,
        tell: @escaping (String) -> Void
    ) {
        importer = Importer(options: arguments.options)
        isSpooling = arguments.isSpooling
        spoolPath = arguments.isSpooling ? arguments.spoolFolder ?? environment.spoolFolder : nil
        self.tell = tell
    }

    /// A folder on the disk of the spool, for a message that no other can hold.
    func spoolingPlace() -> String? {
        guard let spoolPath, let spool = try? DeliverySpool(spoolPath) else { return nil }
        spool.close()
        return "\(spoolPath)/tmp"
    }

    /// Says what became of each pass beside what became of the message.
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
                // Tried again by the mail system, a defect would send the mail back in the end. Where
                // memory is limited, the lack of it may be the reason, which passes.
                if !isSpooling, !isMemoryLimited { return (.done, answers) }
                attempts = 1
            case .late:
                attempts = 1
            case .failed:
                break
            case .notStarted(let error):
                tell(error.description)
            }
        } catch {
            tell("the message: \(error.description)")
        }
        return (isSpooling ? keep(&message, attempts: attempts) : .tryAgain, answers)
    }

    /// Brings in what waits from earlier runs, unless the library has just refused a message.
    func drain(after outcome: Outcome, _ schedule: DeliverySchedule) {
        guard outcome == .done || outcome == .noCandidate, let spoolPath,
            let spool = DeliverySpool.holdingMessages(spoolPath)
        else { return }
        defer { spool.close() }
        let tellOfSpool = { (clause: String) in tell("\(spoolPath): \(clause)") }
        // Do not delay mail without passes for an import that hangs.
        var isSound = outcome == .done
        spool.drain(
            isLibraryWell: outcome == .done, lastStart: schedule.lastStart, tell: tellOfSpool
        ) { file in
            isSound = isSound || importer.isSound(until: schedule.step)
            guard isSound else { return .failed }
            var answers: [String] = []
            return run(file, schedule, answers: &answers)
        }
    }

    /// Runs import for a message; `.broken` or `.late` only if the message is to blame, as far as that is
    /// known: without one it comes to its end.
    private func run(
        _ file: FileDescriptor, _ schedule: DeliverySchedule, answers: inout [String]
    ) -> Importer.Exit {
        let outcome = importer.run(file, until: schedule.imports, answers: &answers)
        switch outcome {
        case .broken(let signal):
            tell("passconduit was ended by signal \(signal): no pass of this message was kept")
        case .late:
            tell("passconduit did not end in time, and was ended (--deadline=SECONDS allows more)")
        default: return outcome
        }
        return importer.isSound(until: schedule.step) ? outcome : .failed
    }

    private func keep(_ message: inout SpooledMessage, attempts: Int) -> Outcome {
        guard let spoolPath else {
            tell("there is no spool: $HOME is not set (--spool=FOLDER names one)")
            return .tryAgain
        }
        do throws(FileError) {
            let spool = try DeliverySpool(spoolPath)
            defer { spool.close() }
            try spool.keep(&message, attempts: attempts)
            tell("the message is kept in \(spoolPath)")
            return .kept
        } catch {
            tell("\(spoolPath): \(error.description)")
            return .tryAgain
        }
    }
}

/// Whether there is a limit on the memory of this process and of those that it starts (`ulimit -v`,
/// `ulimit -d`).
private var isMemoryLimited: Bool {
    [RLIMIT_AS, RLIMIT_DATA].contains { resource in
        var limit = rlimit()
        return unsafe getrlimit(CInt(resource.rawValue), &limit) == 0 && limit.rlim_cur != .max
    }
}
