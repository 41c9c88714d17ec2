import Bytes
import MailSource

/// Bringing the passes of a message into the library, now or, with a spool, later.
struct Bringing {
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
    func bringIn(_ message: inout KeptMessage) -> (Outcome, answers: [String]) {
        var answers: [String] = []
        do throws(FileError) {
            if let failure = message.failure { throw failure }
            guard SearchProcess.answer(for: message) == .candidate else {
                return (.noCandidate, [])
            }
            switch importer.run(try message.wholeFile(), answers: &answers) {
            case .done:
                return (.done, answers)
            case .broken(let signal):
                tell("passconduit was ended by signal \(signal): no pass of this message was kept")
                // What breaks without a message too is not this one's fault.
                guard try importer.isSound() else { break }
                // Tried again, it would be in vain, and the mail would come back to its sender.
                if isSpooling { _ = keep(&message, isBroken: true) }
                return (.done, answers)
            case .failed:
                break
            case .notStarted(let error):
                tell(error.description)
            }
        } catch {
            tell("the message: \(error.description)")
        }
        return (isSpooling ? keep(&message, isBroken: false) : .tryAgain, answers)
    }

    /// Brings in what waits from earlier runs, unless the library has just refused a message.
    func drain(after outcome: Outcome) {
        guard outcome == .done || outcome == .noCandidate, let spoolPath,
            let spool = DeliverySpool.holdingMessages(spoolPath)
        else { return }
        defer { spool.close() }
        let tellOfSpool = { (clause: String) in tell("\(spoolPath): \(clause)") }
        spool.drain(isLibraryWell: outcome == .done, tell: tellOfSpool) { file in
            var answers: [String] = []
            let outcome = importer.run(file, answers: &answers)
            if case .broken = outcome, (try? importer.isSound()) != true { return .failed }
            return outcome
        }
    }

    private func keep(_ message: inout KeptMessage, isBroken: Bool) -> Outcome {
        guard let spoolPath else {
            tell("there is no spool: $HOME is not set (--spool=FOLDER names one)")
            return .tryAgain
        }
        do throws(FileError) {
            let spool = try DeliverySpool(spoolPath)
            defer { spool.close() }
            try spool.keep(&message, isBroken: isBroken)
            tell("the message is kept in \(spoolPath)")
            return .kept
        } catch {
            tell("\(spoolPath): \(error.description)")
            return .tryAgain
        }
    }
}
