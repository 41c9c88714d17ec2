internal import Bytes
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The signals that ask the program to end: SIGTERM and SIGINT.
final class StopSignals: Sendable {
    /// Can be read once one of them came: for who waits.
    let coming: FileDescriptor
    private let end: FileDescriptor
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    init() throws(FileError) {
        (coming, end) = try FileDescriptor.pipe()
    }

    deinit {
        coming.close()
        end.close()
    }

    /// As long as there is nothing to bring to an end, each of these signals ends the program, with 0.
    static func beginAtRest() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in _exit(ExitCode.done.rawValue) }
            unsafe sigaddset(&signals, number)
        }
        // Who started this may have kept them back.
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Calls `stop` for each of these signals, instead of what they do otherwise.
    func begin(_ stop: @escaping @Sendable () -> Void) {
        sources.withLock { sources in
            sources = makeSources(stop)
            for source in sources { source.resume() }
        }
    }

    private func makeSources(
        _ stop: @escaping @Sendable () -> Void
    ) -> [any DispatchSourceSignal] {
        let queue = DispatchQueue(label: "StopSignals")
        return [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [end] in
                stop()
                let byte: [UInt8] = [0]
                try? end.writeAll(byte.span)
            }
            return source
        }
    }
}
