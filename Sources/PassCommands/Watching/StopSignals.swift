internal import Dispatch
internal import Glibc
internal import PassSession
internal import Platform
internal import Synchronization

/// Handles signals that ask the program to end.
final class StopSignals: Sendable {
    /// Readable once a signal has arrived, for poll(2).
    var coming: FileDescriptor { pipe.reading }
    private let pipe: Pipe
    private let numbers: [CInt]
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    init(_ numbers: [CInt] = [SIGTERM, SIGINT]) throws(FileError) {
        self.numbers = numbers
        pipe = try Pipe()
    }

    /// While there is nothing to finish, the signals end the program with exit code 0.
    static func beginAtRest() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in _exit(ExitCode.done.rawValue) }
            unsafe sigaddset(&signals, number)
        }
        // The parent process may have blocked them.
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Calls `stop` for each signal in place of its default action. Signals that are ignored, as by
    /// nohup(1), stay ignored.
    func begin(_ stop: @escaping @Sendable (CInt) -> Void) {
        sources.withLock { sources in
            sources = makeSources(stop)
            // Dispatch replaces the action of a signal when it registers the source. The previous
            // action applies until then.
            let registration = DispatchGroup()
            for source in sources {
                registration.enter()
                source.setRegistrationHandler { registration.leave() }
                source.resume()
            }
            registration.wait()
        }
    }

    /// Restores the default actions.
    func finish() {
        sources.withLock { sources in
            for source in sources {
                source.cancel()
                signal(CInt(truncatingIfNeeded: source.handle), SIG_DFL)
            }
            sources = []
        }
    }

    /// Ends the process by the signal's default action.
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
            var action = sigaction()
            unsafe sigaction(number, nil, &action)
            // SIG_IGN is 1.
            let handler = unsafe action.__sigaction_handler.sa_handler
            guard unsafe unsafeBitCast(handler, to: Int.self) != 1 else { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [pipe] in
                stop(number)
                let byte: [UInt8] = [0]
                try? pipe.writing.writeAll(byte.span)
            }
            return source
        }
    }
}

/// Closed when the last handler has ended, which may be after the signals are no longer handled.
private final class Pipe: Sendable {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init() throws(FileError) {
        (reading, writing) = try FileDescriptor.pipe()
    }

    deinit {
        reading.close()
        writing.close()
    }
}
