import Foundation
import Testing

@Suite(
    "the library window opens older versions of a pass",
    .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"))
final class ViewerHistoryTests {
    private let library: LibraryScreen
    private var screen: Display { library.screen }

    init() throws { library = try LibraryScreen() }

    private static let old = "trusted/boarding-pass-air-gate-4.pkpass"

    private func openOld() throws -> Started {
        try library.add(ViewerHistoryTests.old, "trusted/boarding-pass-air-gate-7.pkpass")
        let viewer = try screen.view([])
        try screen.shows("list item: Nimbus Air")
        try screen.keys("Down")
        try screen.shows("History (2)")
        try screen.hides("An older version")
        try screen.keys("ctrl+h")
        let shown = try screen.shows("push button: Show the version: ")
        let names = shown.split(separator: "\n").filter {
            $0.hasPrefix("push button: Show the version: ")
        }
        // The current version comes first.
        let name = try #require(names.last).dropFirst("push button: ".count)
        try screen.press(String(name))
        try screen.shows("label: An older version", "label: Replaced by the version of ")
        return viewer
    }

    @Test("older versions are marked, cannot be removed, and lead back to the current one")
    func marked() throws {
        let viewer = try openOld()
        try screen.hides("push button: Remove (Delete)")
        try screen.keys("Delete")
        try screen.press("Show the Newest")
        try screen.hides("An older version", "Removed: ")
        try screen.shows("push button: Remove (Delete)")
        try library.end(viewer)
        #expect(try library.count == 1)
    }

    @Test("they are exported under a name other than that of the current version")
    func exported() throws {
        let viewer = try openOld()
        try screen.keys("ctrl+s")
        try screen.shows("Export Pass")
        try screen.keys("ctrl+a")
        try screen.type(library.home.path("old.pkpass"))
        try screen.keys("Return")
        try screen.shows("Exported to")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: library.home.path("old.pkpass")))
                == Data(
                    contentsOf: LibraryScreen.samples.appendingPathComponent(
                        ViewerHistoryTests.old)))
        try screen.keys("Escape")
        try screen.hides("An older version")
        try library.end(viewer)
    }

    @Test("F1 lists the keyboard shortcuts")
    func keys() throws {
        let viewer = try screen.view([])
        try screen.shows("There are no passes yet")
        try screen.keys("F1")
        try screen.shows("frame: Keys", "F9: shows the barcode alone, large and bright")
        try screen.keys("Escape")
        try screen.hides("frame: Keys")
        try screen.keys("ctrl+question")
        try screen.shows("frame: Keys")
        try screen.keys("Escape")
        try library.end(viewer)
    }
}
