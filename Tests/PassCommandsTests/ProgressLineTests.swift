import PassPresentation
import Testing

@testable import PassCommands

@Suite("A progress line shows progress, speed and remaining time")
struct ProgressLineTests {
    private let start = ContinuousClock.now

    private func progress(_ done: Int, of total: Int?) -> ProgressLine.Progress {
        .init(bytesDone: done, bytesTotal: total, source: "a.mbox")
    }

    @Test(
        "in words",
        arguments: [
            (
                0, 1_000_000_000, 1,
                "[>                   ]    0%  0 bytes of 1.0 GB  0 bytes/s  0:00 left  a.mbox"
            ),
            (
                250_000_000, 1_000_000_000, 1,
                "[=====>              ]   25%  250 MB of 1.0 GB  250 MB/s  0:03 left  a.mbox"
            ),
            (
                1_000_000, 10_000_000_000, 10,
                "[>                   ]    0%  1.0 MB of 10 GB  100 kB/s  27:46:30 left  a.mbox"
            ),
            (
                5000, 5000, 5,
                "[====================]  100%  5.0 kB of 5.0 kB  1.0 kB/s  0:00 left  a.mbox"
            ),
            (
                9000, 5000, 5,
                "[====================]  100%  9.0 kB of 5.0 kB  1.8 kB/s  0:00 left  a.mbox"
            ),
            (12_300_000, nil, 60, "12 MB  205 kB/s  1:00  a.mbox"),
        ] as [(Int, Int?, Int, String)])
    func words(done: Int, total: Int?, seconds: Int, line: String) {
        let progress = progress(done, of: total)
        #expect(
            ProgressLine(width: 200, start: start).text(progress, elapsed: .seconds(seconds))
                == line)
    }

    @Test("never wider than the terminal", arguments: [0, 1, 10, 40, 80])
    func width(columns width: Int) {
        let line = ProgressLine(width: width, start: start)
        let text = line.text(progress(1, of: 9), elapsed: .seconds(1))
        #expect(columns(text) <= max(width - 1, 0))
    }

    @Test("not for short runs, and at most ten times a second")
    func drawings() {
        var line = ProgressLine(width: 80, start: start)
        let drawn = (0..<3000).filter { millisecond in
            let now = start + .milliseconds(millisecond)
            return line.drawing(progress(millisecond, of: 3000), at: now) != nil
        }
        #expect(drawn.first == 500)
        #expect(drawn.count == 25)
    }

    @Test("erased when it is no longer needed, and only then")
    func clearing() {
        var line = ProgressLine(width: 80, start: start)
        #expect(line.clearing() == nil)
        _ = line.drawing(progress(1, of: 2), at: start + .seconds(1))
        #expect(line.clearing() == "\r\u{1B}[K")
        #expect(line.clearing() == nil)
        #expect(line.drawing(progress(1, of: 2), at: start + .seconds(1)) != nil)
    }

    @Test("it counts passes as well as bytes")
    func passes() {
        let line = ProgressLine(width: 100, start: start)
        let progress = ProgressLine.Progress(
            bytesDone: 2500, bytesTotal: 10_000, source: "", unit: .passes)
        #expect(
            line.text(progress, elapsed: .seconds(10))
                == "[=====>              ]   25%  2,500 of 10,000 passes  0:30 left")
    }
}
