import Bytes
import Glibc
import MailSource
import Platform

/// A message to the user. The program is linked statically and starts for each mail, so it has no
/// message catalogues; the texts are here, in English.
enum DeliveryMessage {
    case usage(UsageError)
    case usageHint
    case notPassedOn(FileError)
    case unreadable(FileError)
    case notStarted(FileError)
    case endedBySignal(CInt)
    case late
    case noSpool
    case kept(in: Path)
    case notKept(in: Path, FileError)
    case waitingUnreadable(spool: Path, name: String)
    case givenUp(spool: Path, name: String)

    var text: String {
        switch self {
        case .usage(let error): error.text
        case .usageHint: "`passconduit-deliver --help` says how it is used"
        case .notPassedOn(let error): "the message was not handed on: \(error.text)"
        case .unreadable(let error): "the message: \(error.text)"
        case .notStarted(let error): error.text
        case .endedBySignal(let signal):
            "passconduit was ended by signal \(signal): no pass of this message was kept"
        case .late:
            "passconduit did not end in time, and was ended (--deadline=SECONDS allows more)"
        case .noSpool:
            "there is no spool: neither $HOME nor /etc/passwd names a home (--spool=FOLDER names one)"
        case .kept(let spool): "the message is kept in \(spool)"
        case .notKept(let spool, let error): "\(spool): \(error.text)"
        case .waitingUnreadable(let spool, let name): "\(spool): \(name) waits and cannot be read"
        case .givenUp(let spool, let name):
            "\(spool): \(name) could not be brought in: it is kept in 'cur', and not tried again"
        }
    }
}

extension UsageError {
    var text: String {
        switch self {
        case .unexpected(let word): "unexpected argument '\(String(streamSafe: word))'"
        case .noValue(.library): "--library needs the name of a folder"
        case .noValue(.trustRoot): "--trust-root needs the name of a file"
        case .noValue(.spool): "--spool= needs the name of a folder"
        case .noValue(.deadline):
            "--deadline needs a number of seconds, from \(DeliveryLimits.deadlines.lowerBound) to "
                + "\(DeliveryLimits.deadlines.upperBound)"
        }
    }
}

extension FileError {
    fileprivate var text: String {
        let tried =
            switch operation {
            case .makeFolder: "make a folder"
            case .makeFolderAt(let path): "make the folder \(path)"
            case .makeFolderIn(let path): "make a folder in \(path)"
            case .makeTemporaryFile: "make a temporary file"
            case .makePipe: "make a pipe"
            case .start(let program): "start \(program)"
            case .startProcess: "start a process"
            case .startThread: "start a thread"
            case .makeRules, .addRule, .applyRules, .filterSystemCalls: "confine the process"
            case .open: "open"
            case .read: "read"
            case .write: "write"
            case .create: "create"
            case .copy: "copy"
            case .rename: "rename"
            case .remove: "remove"
            case .empty: "empty"
            case .lock: "lock"
            case .sync: "sync"
            case .watch: "watch"
            case .examine: "examine"
            }
        return "cannot \(tried): \(reason)"
    }
}
