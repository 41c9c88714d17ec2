package import Bytes
package import Fetching
import Foundation
import Glibc

/// The program that fetches, as seen from the one that started it: orders go in, and what became of
/// them comes out. It ends when the last reference to this goes.
package final class FetchProcess: Sendable {
    package enum Signal: Sendable {
        case event(FetchEvent)
        /// Nothing came for a moment: there is time to look at the clock.
        case pause
    }

    /// How long a moment is, in milliseconds.
    private static let moment: CInt = 200
    /// No event is as long: the longest holds a few header fields.
    private static let longestLine = 1 << 20

    /// What comes, until the program ends; to be read by one only.
    package let signals: AsyncStream<Signal>
    private let orders: FileDescriptor

    /// To be made once the own process has no right left to lose: it starts a thread.
    ///
    /// - Parameters:
    ///   - orders: The program's standard input.
    ///   - events: Its standard output.
    /// - Throws: What kept the configuration from being sent.
    package init(
        orders: FileDescriptor, events: FileDescriptor, configuration: FetchConfiguration
    ) throws(FileError) {
        self.orders = orders
        let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
        self.signals = signals
        Thread.detachNewThread {
            FetchProcess.read(events, into: continuation)
            continuation.finish()
            events.close()
        }
        try send(configuration)
    }

    deinit { orders.close() }

    package func send(_ order: FetchOrder) throws(FileError) {
        try send(order as any Encodable)
    }

    private func send(_ value: any Encodable) throws(FileError) {
        guard let line = try? JSONLines.line(value) else { return }
        do throws(FileError) {
            try orders.writeAll(line.span)
        } catch {
            // That it is gone is what the end of its signals says.
            guard error.code == EPIPE else { throw error }
        }
    }

    private static func read(
        _ events: FileDescriptor, into continuation: AsyncStream<Signal>.Continuation
    ) {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            var event = pollfd(fd: events.number, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&event, 1, moment) == 0 {
                if case .terminated = continuation.yield(.pause) { return }
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
