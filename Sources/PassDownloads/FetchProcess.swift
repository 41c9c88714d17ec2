import Bytes
package import Fetching
import Foundation
import Glibc
package import Platform
import Synchronization

/// The running passconduit-fetch: sends requests, and receives events. The program ends with the
/// last reference to this object.
package final class FetchProcess: Sendable {
    package enum Signal: Sendable {
        case event(FetchEvent)
        /// No event for a moment. Lets the reader check for timeouts.
        case pause
    }

    /// The interval at which ``reportsPauses`` is checked while it is false, in milliseconds.
    private static let longMoment: CInt = 1000
    /// An upper bound in bytes: an event contains a few header fields at most.
    private static let longestLine = 1 << 20

    /// The events until the program ends; for a single reader.
    package let signals: AsyncStream<Signal>
    private let orders: FileDescriptor
    private let pauses: Pauses
    private let ids = Atomic<Int64>(0)

    /// Must be created after confinement, since it starts a thread.
    ///
    /// - Parameters:
    ///   - orders: The program's standard input.
    ///   - events: The program's standard output.
    ///   - interval: The interval of `pause` signals, in milliseconds.
    /// - Throws: If the configuration could not be sent.
    package init(
        orders: FileDescriptor, events: FileDescriptor, configuration: FetchConfiguration,
        interval: CInt = 200
    ) throws(FileError) {
        self.orders = orders
        let pauses = Pauses(interval)
        self.pauses = pauses
        let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
        self.signals = signals
        Thread.detachNewThread {
            FetchProcess.read(events, pauses, into: continuation)
            continuation.finish()
            events.close()
        }
        try send(configuration)
    }

    deinit { orders.close() }

    /// Whether to send `pause` signals. Turn them off while nobody reads signals: unread signals
    /// accumulate.
    package var reportsPauses: Bool {
        get { pauses.areReported.load(ordering: .relaxed) }
        set { pauses.areReported.store(newValue, ordering: .relaxed) }
    }

    /// Returns a request ID that is unique in this process.
    package func makeID() -> Int64 { ids.wrappingAdd(1, ordering: .relaxed).oldValue }

    package func send(_ order: FetchOrder) throws(FileError) {
        try send(order as any Encodable)
    }

    private func send(_ value: any Encodable) throws(FileError) {
        guard let line = try? JSONLines.line(value) else { return }
        do throws(FileError) {
            try orders.writeAll(line.span)
        } catch {
            // Ignore EPIPE: `signals` ends when the program has ended.
            guard error.code == EPIPE else { throw error }
        }
    }

    private static func read(
        _ events: FileDescriptor, _ pauses: Pauses,
        into continuation: AsyncStream<Signal>.Continuation
    ) {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            var event = pollfd(fd: events.number, events: Int16(POLLIN), revents: 0)
            let areReported = pauses.areReported.load(ordering: .relaxed)
            if unsafe poll(&event, 1, areReported ? pauses.interval : longMoment) == 0 {
                if areReported, case .terminated = continuation.yield(.pause) { return }
                continue
            }
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                (try? unsafe events.read(into: bytes)) ?? 0
            }
            if count == 0 { return }
            for byte in buffer[..<count] {
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    if line.count > longestLine { return }
                    continue
                }
                guard let event = try? JSONLines.value(FetchEvent.self, from: line) else { return }
                line.removeAll(keepingCapacity: true)
                if case .terminated = continuation.yield(.event(event)) { return }
            }
        }
    }
}

private final class Pauses: Sendable {
    let interval: CInt
    let areReported = Atomic(true)

    init(_ interval: CInt) { self.interval = interval }
}
