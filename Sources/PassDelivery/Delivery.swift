import Bytes
import Glibc
import MailSource
import Platform

/// The program in the mail path: reads one message from standard input, and runs `passconduit
/// import` if it may contain passes.
///
/// Most messages contain no candidate; then no program is started.
///
/// All child processes have a deadline (`DeliveryLimits`). Only the mail system itself can cause
/// further delay, by not ending the message or not reading the output.
package enum Delivery {
    package static func main() -> Never {
        FileDescriptor.fillClosedStreams()
        // A log that nobody reads must not end the process, nor must the file size limit of a mail
        // system: let the write fail instead.
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        // If the mail system ignores SIGCHLD, exit codes of children are lost.
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
            tell(.usage(error))
            tell(.usageHint)
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
        // Write the message to standard output before searching it, unless a header field is to be
        // added.
        var code = Sysexit.done
        if arguments.isTee, !arguments.addsHeader { code = passOn(&message) }

        let schedule = DeliverySchedule(arguments.limits)
        let (outcome, answers) = bringing.bringIn(&message, schedule)
        if arguments.addsHeader { code = passOn(&message, with: answers) }
        if outcome == .tryAgain { code = .tryAgain }
        bringing.drain(after: outcome, schedule)
        return code
    }

    /// Writes the message to standard output, unchanged apart from header fields.
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
            tell(.notPassedOn(error))
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

    /// Reports an error. Failure to write to standard error is ignored.
    private static func tell(_ message: DeliveryMessage) {
        let line = Array("passconduit-deliver: \(message.text)\n".utf8)
        try? FileDescriptor(STDERR_FILENO).writeAll(line.span)
    }
}
