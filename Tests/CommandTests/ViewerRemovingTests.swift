import Foundation
import Testing

@Suite(
    "the library window removes the selection, and keeps a pass that cannot be removed",
    .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"))
final class ViewerRemovingTests {
    private let library: LibraryScreen
    private var screen: Display { library.screen }

    init() throws { library = try LibraryScreen() }

    private func addThree() throws {
        try library.add(
            ["1", "2", "3"].map { DatedPass(serial: $0, description: "Ticket \($0)") })
    }

    @Test("several passes are removed at once, and one undo restores them")
    func several() throws {
        try addThree()
        let viewer = try screen.view([])
        try screen.shows("list item: Ticket 3", "list item: Ticket 1")
        try screen.keys("Down", "shift+Down")
        try screen.shows("label: 2 passes selected")
        try screen.keys("Delete")
        try screen.shows("alert: Removed: 2 passes")
        try screen.hides("list item: Ticket 3", "list item: Ticket 2", "push button: Remove all")
        #expect(try library.count == 3)
        try screen.keys("ctrl+z")
        try screen.shows("list item: Ticket 3", "list item: Ticket 2", "label: 2 passes selected")
        try screen.keys("ctrl+a", "Delete")
        try screen.shows("Removed: 3 passes", "There are no passes yet")
        try library.end(viewer)
        #expect(try library.count == 0)
    }

    @Test("actions apply to the pass that is shown")
    func shown() throws {
        try addThree()
        let viewer = try screen.view([])
        try screen.shows("list item: Ticket 3")
        try screen.keys("Down", "shift+Down", "Delete")
        try screen.shows("alert: Removed: 2 passes")
        try screen.keys("Down")
        try screen.shows("History (1)")
        try screen.keys("ctrl+z")
        // With two passes selected, none is shown, including the one shown before.
        try screen.shows("label: 2 passes selected")
        try screen.hides("History (1)")
        try library.end(viewer)
    }

    @Test("a pass that gets a newer version in the meantime is kept, and this is reported")
    func renewed() throws {
        try library.add("trusted/boarding-pass-air-gate-4.pkpass")
        let viewer = try screen.view([])
        try screen.shows("list item: Nimbus Air")
        try screen.keys("Down", "Delete")
        try screen.shows("alert: Removed: ")
        try library.add("trusted/boarding-pass-air-gate-7.pkpass")
        try screen.shows("list item: Nimbus Air", "A newer version arrived and was kept")
        try screen.hides("alert: Removed: ")
        try library.end(viewer)
        #expect(try library.count == 1)
    }

    @Test("Undo works on a phone too, where no widget is left to take the focus")
    func narrow() throws {
        try addThree()
        let viewer = try screen.view([])
        try screen.shows("list item: Ticket 3")
        try screen.resize("Passes", width: 360, height: 640)
        try screen.keys("Down", "Return")
        try screen.shows("History (1)")
        try screen.keys("Delete")
        try screen.shows("alert: Removed: ")
        try screen.keys("ctrl+z")
        try screen.hides("alert: Removed: ")
        try screen.keys("Escape")
        try screen.shows("list item: Ticket 3", "list item: Ticket 2", "list item: Ticket 1")
        try library.end(viewer)
    }

    @Test("the button undoes a removal too")
    func button() throws {
        try addThree()
        let viewer = try screen.view([])
        try screen.shows("list item: Ticket 3")
        try screen.keys("Down", "Delete")
        try screen.shows("Removed: ", "push button: Undo")
        try screen.press("Undo")
        try screen.shows("list item: Ticket 3")
        #expect(try library.count == 3)
        try library.end(viewer)
    }

    /// Another process that locks the library until a file appears.
    private func lock(until release: URL) throws -> Process {
        let python = Program("/usr/bin/python3", home: library.home)
        let output = try library.home.write(Data(), to: "locked")
        let process = try python.start(
            [
                "-c",
                """
                import fcntl, os, sys, time
                file = open(sys.argv[1], "r+")
                fcntl.lockf(file, fcntl.LOCK_EX)
                print("locked", flush=True)
                while not os.path.exists(sys.argv[2]): time.sleep(0.05)
                """, library.folder.appendingPathComponent("lock").path, release.path,
            ], output: FileHandle(forWritingTo: output))
        try library.waits { try !Data(contentsOf: output).isEmpty }
        return process
    }

    @Test(
        "it waits for a locked library, even when the window is closed",
        arguments: [true, false])
    func locked(comesFree: Bool) throws {
        try addThree()
        let viewer = try screen.view([])
        try screen.shows("list item: Ticket 3")
        try screen.keys("Down", "Delete")
        try screen.shows("Removed: ")
        let release = library.home.folder.appendingPathComponent("release")
        let process = try lock(until: release)
        try screen.keys("ctrl+q")
        try screen.hides("frame: Passes")
        #expect(viewer.process.isRunning)
        if comesFree { try Data().write(to: release) }
        let result = try viewer.finish()
        try Data().write(to: release)
        process.waitUntilExit()
        #expect(result.status == (comesFree ? 0 : 2), "\(result.errors)")
        #expect(result.errors.contains("is in use by another program") == !comesFree)
        #expect(try library.count == (comesFree ? 2 : 3))
    }
}
