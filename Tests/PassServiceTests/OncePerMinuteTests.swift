import Logging
import NIOCore
import Synchronization
import Testing

@testable import PassService

@Suite("Errors of the store are logged once per minute and kind")
struct OncePerMinuteTests {
    private final class Lines: Sendable {
        let texts = Mutex<[String]>([])
    }

    private struct Writer: LogHandler {
        let lines: Lines
        var logLevel = Logger.Level.debug
        var metadata: Logger.Metadata = [:]
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let error = event.error.map { "\($0)" } ?? ""
            let unlogged = event.metadata?["unlogged"].map { "\($0)" } ?? "-"
            lines.texts.withLock { $0.append("\(error.prefix { $0 != "(" }) \(unlogged)") }
        }
    }

    @Test("with the number of suppressed messages")
    func once() {
        let lines = Lines()
        let logger = Logger(label: "tests") { _ in Writer(lines: lines) }
        let failures = OncePerMinute()
        let start = NIODeadline.uptimeNanoseconds(5_000_000_000_000)
        for second in [0, 1, 59] as [Int64] {
            failures.log(.locked("a"), to: logger, at: start + .seconds(second))
            failures.log(.locked("b"), to: logger, at: start + .seconds(second))
            failures.log(.noSuchStore("c"), to: logger, at: start + .seconds(second))
        }
        failures.log(.locked("a"), to: logger, at: start + .seconds(60))
        failures.log(.locked("a"), to: logger, at: start + .seconds(119))
        failures.log(.locked("a"), to: logger, at: start + .seconds(600))
        failures.log(.notice, "limited", metadata: [:], to: logger, at: start + .seconds(601))
        #expect(
            lines.texts.withLock(\.self) == [
                "locked -", "noSuchStore -", "locked 5", "locked 1", " -",
            ])
    }
}
