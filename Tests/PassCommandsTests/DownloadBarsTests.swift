import PassPresentation
import Testing

@testable import PassCommands
@testable import PassDownloads

@Suite("Each of several downloads has a line with its name and progress")
struct DownloadBarsTests {
    private let start = ContinuousClock.now

    private static let downloads = [
        DownloadProgress(
            url: "https://a.example/1/ticket.pkpass", received: 4_200_000, expected: 10_000_000,
            timeRemaining: .seconds(7)),
        DownloadProgress(
            url: "https://b.example/ticket.pkpass?x", received: 1_000_000, expected: nil,
            timeRemaining: nil),
        DownloadProgress(
            url: "https://c.example/", received: 10_000_000, expected: 10_000_000,
            timeRemaining: nil),
        DownloadProgress(
            url: "x\u{1B}[31m\n\u{202E}", received: 0, expected: 0, timeRemaining: nil),
        DownloadProgress(url: "https://e.example/a", received: 0, expected: 1, timeRemaining: nil),
        DownloadProgress(url: "https://f.example/a", received: 0, expected: 1, timeRemaining: nil),
    ]

    @Test(
        "six at once, with all details that fit",
        arguments: [
            (
                100,
                [
                    "[========>           ]   42%  4.2 MB of 10 MB  0:07 left  ticket.pkpass, a.example",
                    "[                    ]        1.0 MB                      ticket.pkpass, b.example",
                    "[====================]  100%  10 MB of 10 MB              c.example",
                    #"[                    ]        0 bytes                     x\u{1B}[31m\u{A}\u{202E}"#,
                    "and 2 more",
                ]
            ),
            (
                80,
                [
                    "[========>           ]   42%  4.2 MB of 10 MB  0:07 left  ticket.pkpass, a.exam",
                    "[                    ]        1.0 MB                      ticket.pkpass, b.exam",
                    "[====================]  100%  10 MB of 10 MB              c.example",
                    #"[                    ]        0 bytes                     x\u{1B}[31m\u{A}\u{20"#,
                    "and 2 more",
                ]
            ),
            (
                60,
                [
                    " 42%  4.2 MB of 10 MB  0:07 left  ticket.pkpass, a.example",
                    "      1.0 MB                      ticket.pkpass, b.example",
                    "100%  10 MB of 10 MB              c.example",
                    #"      0 bytes                     x\u{1B}[31m\u{A}\u{202E}"#,
                    "and 2 more",
                ]
            ),
            (
                40,
                [
                    " 42%     0:07 left  ticket.pkpass, a.ex",
                    "1.0 MB              ticket.pkpass, b.ex",
                    "100%                c.example",
                    #"0 bytes             x\u{1B}[31m\u{A}\u{"#,
                    "and 2 more",
                ]
            ),
            (
                24,
                [
                    " 42%     ticket.pkpass,",
                    "1.0 MB   ticket.pkpass,",
                    "100%     c.example",
                    #"0 bytes  x\u{1B}[31m\u{"#,
                    "and 2 more",
                ]
            ),
        ] as [(Int, [String])])
    func lines(width: Int, lines: [String]) {
        #expect(DownloadBars(width: width, start: start).lines(Self.downloads) == lines)
    }

    @Test("never wider than the terminal, and never without a name", arguments: 0...130)
    func width(columns width: Int) {
        let lines = DownloadBars(width: width, start: start).lines(Self.downloads)
        #expect(lines.allSatisfy { columns($0) <= max(width - 1, 0) })
        if width >= 20 {
            #expect(lines[0].contains("42%") && lines[0].contains("ticket.pk"))
            #expect(lines[2].hasSuffix("100%  c.example") || lines[2].hasSuffix(" c.example"))
        }
    }

    @Test("lines are redrawn in place, at most ten times a second, and erased at the end")
    func drawings() {
        var bars = DownloadBars(width: 60, start: start)
        let six = Self.downloads
        #expect(bars.drawing(six, at: start + .milliseconds(499)) == nil)
        #expect(bars.clearing() == nil)
        let first = bars.drawing(six, at: start + .milliseconds(500))
        #expect(first?.hasPrefix("\r 42%") == true)
        #expect(first?.components("\n") == 5 && first?.components("\u{1B}[K") == 6)
        #expect(bars.drawing(six, at: start + .milliseconds(599)) == nil)
        let second = bars.drawing([six[0]], at: start + .milliseconds(600))
        // Moves from the fifth line to the first; everything below is erased.
        #expect(second?.hasPrefix("\r\u{1B}[4A 42%") == true)
        #expect(second?.hasSuffix("\u{1B}[K\n\u{1B}[J\u{1B}[A") == true)
        #expect(bars.drawing([], at: start + .seconds(1)) == "\r\u{1B}[J")
        #expect(bars.clearing() == nil)
    }
}

extension String {
    /// The number of parts between separators.
    fileprivate func components(_ separator: String) -> Int {
        split(separator: separator, omittingEmptySubsequences: false).count
    }
}
