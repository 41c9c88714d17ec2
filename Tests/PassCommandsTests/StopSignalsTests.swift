import Dispatch
import Glibc
import Platform
import Synchronization
import Testing

@testable import PassCommands

@Suite("Signals that ask the program to end")
struct StopSignalsTests {
    @Test("count from the moment at which handling them begins")
    func begin() throws {
        let signals = try StopSignals([SIGUSR1])
        let got = Mutex<[CInt]>([])
        signals.begin { number in got.withLock { $0.append(number) } }
        kill(getpid(), SIGUSR1)
        #expect(isReadable(signals, within: 10_000))
        #expect(got.withLock { $0 } == [SIGUSR1])
        signals.finish()
    }

    @Test("stay ignored if they were")
    func ignored() throws {
        signal(SIGUSR2, SIG_IGN)
        let signals = try StopSignals([SIGUSR2])
        signals.begin { _ in Issue.record() }
        kill(getpid(), SIGUSR2)
        #expect(!isReadable(signals, within: 50))
    }

    @Test("write to no file that was opened while a handler was still running")
    func slowHandler() throws {
        var signals: StopSignals? = try StopSignals([SIGALRM])
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        signals?.begin { _ in
            begun.signal()
            end.wait()
        }
        kill(getpid(), SIGALRM)
        begun.wait()
        signals?.finish()
        signals = nil
        // These would get the numbers of the closed pipe.
        let files = try (0..<2).map { _ in try FileDescriptor.temporary(in: "/tmp") }
        defer { for file in files { file.close() } }
        end.signal()
        usleep(100_000)
        for file in files { #expect(lseek(file.number, 0, SEEK_END) == 0) }
    }

    private func isReadable(_ signals: StopSignals, within milliseconds: CInt) -> Bool {
        var event = pollfd(fd: signals.coming.number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, milliseconds) == 1
    }
}
