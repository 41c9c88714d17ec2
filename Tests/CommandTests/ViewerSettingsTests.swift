import Foundation
import Loopback
import PassFixtures
import Testing

@Suite(
    "the back of a pass has the settings of its updates",
    .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"))
final class ViewerSettingsTests {
    private let holder: PassHolder
    private let screen: Display

    init() throws {
        holder = try PassHolder("viewer-settings")
        screen = try Display(holder.home)
    }

    /// Opens the library and turns its first pass over.
    private func open(_ options: [String] = []) throws -> Started {
        let viewer = try screen.view(["--trust-root", holder.maker.authority] + options)
        try screen.shows("list item: ")
        try screen.keys("Down")
        try screen.shows("push button: Back of the pass")
        try screen.keys("ctrl+t")
        return viewer
    }

    private func end(_ viewer: Started, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try screen.keys("ctrl+q")
        let result = try viewer.finish()
        #expect(result.status == 0, "\(result.errors)", sourceLocation: sourceLocation)
    }

    private func waits(
        for name: String, _ isOn: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for _ in 0..<600 {
            let record = try holder.program.run(["show", "--json", "1"]).records.first
            if record?[name] as? Bool == isOn { return }
            Thread.sleep(forTimeInterval: 0.05)
        }
        Issue.record("\(name) is not \(isOn)", sourceLocation: sourceLocation)
    }

    @Test("the switches store the settings, and show changes by other programs")
    func switches() throws {
        try holder.add([PassHolder.recipe("1", from: "https://example.com")])
        let viewer = try open()
        try screen.shows(
            "check box: Automatic updates (on)", "check box: Show notifications (on)",
            "push button: Update Now")
        try screen.keys("alt+a")
        try screen.shows("check box: Automatic updates (off)")
        try waits(for: "automaticUpdates", false)
        try screen.keys("alt+n")
        try waits(for: "notifications", false)
        try screen.keys("alt+n")
        try waits(for: "notifications", true)
        // The pane stays, and still shows the same side.
        _ = try holder.program.run(["update", "--on", "1"])
        try screen.shows("check box: Automatic updates (on)")
        _ = try holder.program.run(["update", "--mute", "1"])
        try screen.shows("check box: Show notifications (off)", "Front of the pass")
        _ = try holder.program.run(["update", "--off"])
        try screen.shows(
            "check box: Automatic updates (off)", "To turn them on:", "passconduit update --on")
        _ = try holder.program.run(["update", "--on"])
        try screen.hides("To turn them on")
        try screen.shows("check box: Automatic updates (on)")
        try end(viewer)
    }

    @Test("a setting that cannot be stored is reported, and the switch goes back")
    func unstored() throws {
        try holder.add([PassHolder.recipe("1", from: "https://example.com")])
        let viewer = try open()
        try screen.shows("check box: Automatic updates (on)")
        let lock = holder.home.library.appendingPathComponent("lock")
        try FileManager.default.removeItem(at: lock)
        try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: false)
        try screen.keys("alt+a")
        try screen.shows("alert: ", lock.path, "check box: Automatic updates (on)")
        try end(viewer)
    }

    @Test("Update Now asks the issuer in another process, and shows the result")
    func updates() async throws {
        try await LoopbackServer.run { server in
            try holder.add([PassHolder.recipe("1", from: server.url())])
            let newer = try holder.maker.make(
                PassHolder.recipe("1", from: server.url(), gate: "7", hours: 1))
            server.serve(
                type: PassMaker.type, serial: "1",
                .status(304), .pass(newer).guarded(by: PassHolder.token("1")).delayed(.seconds(3)),
                .status(500))
            // The library of the window, its trust and its permissions apply.
            let viewer = try open(PassHolder.onLoopback)
            try screen.press("Update Now")
            try screen.shows("There is no newer version of ")
            // A pass whose automatic updates are off is updated as well.
            try screen.keys("alt+a")
            try waits(for: "automaticUpdates", false)
            try screen.press("Update Now")
            try screen.shows("push button: Updating\u{2026}")
            // Meanwhile the window can be used.
            try screen.keys("ctrl+t")
            try screen.shows("push button: Back of the pass")
            try screen.keys("ctrl+t")
            try screen.shows("Updated: ", "Gate changed to 7", "History (2)", "Update Now")
            try screen.shows("check box: Automatic updates (off)")
            #expect(try holder.gate("1") == "7")
            try screen.press("Update Now")
            try screen.shows("alert: ", "answered with 500")
            try end(viewer)
            #expect(server.requests(for: PassHolder.path("1")).count == 3)
        }
    }

    @Test("a problem is shown in the words of the command")
    func problem() async throws {
        try await LoopbackServer.run { server in
            try holder.add([PassHolder.recipe("1", from: server.url())])
            let viewer = try open()
            try screen.press("Update Now")
            try screen.shows("--allow-http")
            let shown = try screen.shows("alert: 127.0.0.1: ")
            #expect(!shown.contains("http://"))
            try end(viewer)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a pass without a web service, an untrusted one and an older version have no settings")
    func without() throws {
        var plain = PassHolder.recipe("0", from: "")
        plain.webServiceURL = nil
        plain.authenticationToken = nil
        try holder.add([plain])
        let viewer = try open()
        try screen.shows("push button: Front of the pass")
        try screen.hides("Update Now", "Automatic updates")
        try end(viewer)

        _ = try holder.program.run(["remove", "--yes", "1"])
        try holder.add([PassHolder.recipe("1", from: "https://example.com")])
        try holder.add([PassHolder.recipe("1", from: "https://example.com", gate: "7", hours: 1)])
        let again = try open()
        try screen.shows("Update Now", "History (2)")
        try screen.keys("ctrl+h")
        let buttons = try screen.shows("push button: Show the version: ").split(separator: "\n")
            .filter { $0.hasPrefix("push button: Show the version: ") }
        let old = try #require(buttons.last).dropFirst("push button: ".count)
        try screen.press(String(old))
        try screen.shows("An older version", "Back of the pass")
        try screen.keys("ctrl+t")
        try screen.shows("Front of the pass")
        try screen.hides("Update Now", "Automatic updates")
        try end(again)
    }
}
