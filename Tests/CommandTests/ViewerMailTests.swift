import Foundation
import Testing

@Suite(
    "a mail program that stays open does not block a window",
    .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"))
final class ViewerMailTests {
    private let home: Home
    private let screen: Display
    private let program: Program

    init() throws {
        home = try Home()
        screen = try Display(home)
        program = Program(home: home)
        let samples = Program.package.appendingPathComponent("Samples")
        let passes = ["generic-gym", "coupon-shop"].map {
            samples.appendingPathComponent("passes/trusted/\($0).pkpass").path
        }
        _ = try program.run(
            ["import", "--trust-root", samples.appendingPathComponent("authority/root.pem").path]
                + passes)
    }

    deinit { home.remove() }

    @Test("however many are open")
    func staying() throws {
        try home.write(Data(), to: "open")
        try screen.addStandIn(
            "xdg-email", "while [ -e '\(home.path("open"))' ]; do sleep 0.1; done")
        let viewer = try screen.view([])
        try screen.shows("list item: Oak Gym membership", "list item: Fern & Fold")
        try screen.keys("Down", "Down")
        try screen.shows("History (1)")
        // More mail programs than the thread pool has threads.
        for _ in 0...ProcessInfo.processInfo.activeProcessorCount {
            try screen.press("Send by mail")
        }
        try screen.type("gym")
        try screen.hides("list item: Fern & Fold")
        // The test waits for all descendants of its child processes.
        try FileManager.default.removeItem(atPath: home.path("open"))
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }
}
