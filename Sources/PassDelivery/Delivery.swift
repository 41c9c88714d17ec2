import Bytes
import Glibc
import MailSource

/// The program in the mail path: takes one message on the standard input, and has `passconduit import`
/// bring what passes are in it into the library.
///
/// Most messages hold nothing that may be a pass; of these nothing is left but that they were read.
///
/// All that it starts has a deadline (`DeliveryLimits`). Only the mail system itself can hold it up for
/// longer: where that neither ends the message nor takes what comes out, it is waited for.
package enum Delivery {
    /// Runs the program and ends the process.
    package static func main() -> Never {
        FileDescriptor.fillClosedStreams()
        // A log that nobody reads is no reason to leave a message. Mail systems limit the files of the
        // programs that they run, and what cannot be written is an error of the write.
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        // Where the mail system ignores its children, their exit codes are lost.
        _ = signal(SIGCHLD, SIG_DFL)
        exit(run(CommandLine.argumentBytes().dropFirst()).rawValue)
    }

    private static func run(_ words: some Sequence<[UInt8]>) -> Sysexit {
        do throws(UsageError) {
            let arguments = try DeliveryArguments(words)
            switch arguments.request {
            case .delivery: return deliver(arguments)
            case .help: return print(DeliveryHelp.text)
            case .version: return print(Release.version, "\n")
            }
        } catch {
            tell(error.description)
            tell("`passconduit-deliver --help` says how it is used")
            return .usage
        }
    }

    private static func deliver(_ arguments: DeliveryArguments) -> Sysexit {
        let environment = DeliveryEnvironment()
        let bringing = DeliveryImport(arguments, environment, tell: tell)
        var message = SpooledMessage(
            FileDescriptor(STDIN_FILENO), places: environment.temporaryFolders,
            lastPlace: bringing.spoolingPlace)
        message.read()
        // Whatever happens from here on, the mail has gone its way.
        var code = Sysexit.done
        if arguments.isTee, !arguments.addsHeader { code = passOn(&message) }

        let schedule = DeliverySchedule(arguments.limits)
        let (outcome, answers) = bringing.bringIn(&message, schedule)
        if arguments.addsHeader { code = passOn(&message, with: answers) }
        if outcome == .tryAgain { code = .tryAgain }
        bringing.drain(after: outcome, schedule)
        return code
    }

    /// Hands the message on, as it came but for the fields.
    private static func passOn(
        _ message: inout SpooledMessage, with fields: [String]? = nil
    ) -> Sysexit {
        let output = FileDescriptor(STDOUT_FILENO)
        do throws(FileError) {
            if let fields {
                var edit = HeaderEdit(fields, to: message.beginning)
                let write = { (bytes: Span<UInt8>) throws(FileError) in try output.writeAll(bytes) }
                try message.passOn { piece throws(FileError) in try edit.take(piece, write) }
                try edit.finish(write)
            } else {
                try message.passOn { piece throws(FileError) in try output.writeAll(piece) }
            }
        } catch {
            tell("the message was not handed on: \(error.description)")
            return .tryAgain
        }
        return .done
    }

    private static func print(_ texts: StaticString...) -> Sysexit {
        for text in texts {
            let bytes = unsafe UnsafeBufferPointer(
                start: text.utf8Start, count: text.utf8CodeUnitCount)
            try? FileDescriptor(STDOUT_FILENO).writeAll(unsafe Span(_unsafeElements: bytes))
        }
        return .done
    }

    /// Says one thing that went wrong. Nobody can be told when nobody reads the standard error.
    private static func tell(_ clause: String) {
        let line = Array("passconduit-deliver: \(clause)\n".utf8)
        try? FileDescriptor(STDERR_FILENO).writeAll(line.span)
    }
}
