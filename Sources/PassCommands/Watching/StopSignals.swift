internal import Bytes
internal import Dispatch
internal import Glibc
internal import PassSession
internal import Synchronization

/// Signals that ask the program to end.
final class StopSignals: Sendable {
    /// Can be read once one of them came: for who waits.
    let coming: FileDescriptor
    private let end: FileDescriptor
    private let numbers: [CInt]
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    init(_ numbers: [CInt] = [SIGTERM, SIGINT]) throws(FileError) {
        self.numbers = numbers
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

    /// Calls `stop` for each of these signals, instead of what they do otherwise. One that is ignored, as
    /// nohup(1) has it, stays so.
    func begin(_ stop: @escaping @Sendable (CInt) -> Void) {
        sources.withLock { sources in
            sources = makeSources(stop)
            for source in sources { source.resume() }
        }
    }

    /// Has them do again what they do otherwise.
    func finish() {
        sources.withLock { sources in
            for source in sources {
                source.cancel()
                signal(CInt(truncatingIfNeeded: source.handle), SIG_DFL)
            }
            sources = []
        }
    }

    /// Ends the process as the signal does where nobody looks at it.
    static func obey(_ number: CInt) {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }

    private func makeSources(
        _ stop: @escaping @Sendable (CInt) -> Void
    ) -> [any DispatchSourceSignal] {
        let queue = DispatchQueue(label: "StopSignals")
        return numbers.compactMap { number in
            // SIG_IGN is 1.
            let before = signal(number, SIG_IGN)
            guard unsafe unsafeBitCast(before, to: Int.self) != 1 else { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [end] in
                stop(number)
                let byte: [UInt8] = [0]
                try? end.writeAll(byte.span)
            }
            return source
        }
    }
}
