import Bytes
import Glibc

/// The program in the mail path: takes one message on the standard input, and has `passconduit import`
/// bring what passes are in it into the library.
///
/// Most messages hold nothing that may be a pass; of these nothing is left but that they were read.
package enum Delivery {
    /// Runs the program and ends the process.
    package static func main() -> Never {
        FileDescriptor.fillClosedStreams()
        // A log that nobody reads is no reason to leave a message. Mail systems limit the files of the
        // programs that they run, and what cannot be written is an error of the write.
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        // A message that breaks this program would break it again, until it came back to its sender.
        for code in Importer.signalsOfDefects {
            _ = signal(code) { _ in
                Delivery.tell("the message broke this program: it was not searched" as StaticString)
                _exit(Sysexit.done.rawValue)
            }
        }
        exit(run(CommandLine.argumentBytes().dropFirst()).rawValue)
    }

    private static func run(_ words: some Sequence<[UInt8]>) -> Sysexit {
        do throws(UsageError) {
            let arguments = try DeliveryArguments(words)
            switch arguments.request {
            case .delivery: return deliver(Importer(options: arguments.options))
            case .help: return print(DeliveryHelp.text)
            case .version: return print(DeliveryHelp.version)
            }
        } catch {
            tell(error.description)
            tell("`passconduit-deliver --help` says how it is used")
            return .usage
        }
    }

    private static func deliver(_ importer: Importer) -> Sysexit {
        do throws(FileError) {
            var spool = SpoolPolicy()
            if let folder = unsafe getenv("TMPDIR"), unsafe folder.pointee != 0 {
                spool.directories.insert(unsafe String(cString: folder), at: 0)
            }
            var message = KeptMessage(FileDescriptor(STDIN_FILENO), spool: spool)
            try message.read()
            guard try CandidateSearch.mayHoldPass(message.source(), spool: spool) else {
                return .done
            }
            switch importer.run(try message.wholeFile()) {
            case .done:
                return .done
            case .broken(let signal):
                // Tried again, it would be in vain, and the mail would come back to its sender.
                tell("passconduit was ended by signal \(signal): no pass of this message was kept")
                return .done
            case .failed:
                return .tryAgain
            case .notStarted(let error):
                tell(error.description)
                return .tryAgain
            }
        } catch {
            tell("the message: \(error.description)")
            return .tryAgain
        }
    }

    private static func print(_ text: StaticString) -> Sysexit {
        let bytes = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        try? FileDescriptor(STDOUT_FILENO).writeAll(unsafe Span(_unsafeElements: bytes))
        return .done
    }

    /// The same from within a signal, where no memory may be asked for.
    private static func tell(_ clause: StaticString) {
        write("passconduit-deliver: ")
        write(clause)
        write("\n")
    }

    private static func write(_ text: StaticString) {
        _ = unsafe Glibc.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }

    /// Says one thing that went wrong. Nobody can be told when nobody reads the standard error.
    private static func tell(_ clause: String) {
        let line = Array("passconduit-deliver: \(clause)\n".utf8)
        try? FileDescriptor(STDERR_FILENO).writeAll(line.span)
    }
}
