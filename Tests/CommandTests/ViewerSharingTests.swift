import Foundation
import Testing

@Suite(
    "the library window exports, mails and drags several passes, and accepts dropped files",
    .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"))
final class ViewerSharingTests {
    private let library: LibraryScreen
    private var screen: Display { library.screen }
    private var home: Home { library.home }

    init() throws { library = try LibraryScreen() }

    private static func sample(_ name: String) throws -> Data {
        try Data(contentsOf: LibraryScreen.samples.appendingPathComponent(name))
    }

    private static let two = ["trusted/coupon-shop.pkpass", "trusted/generic-gym.pkpass"]

    /// Shows two passes without a date, and selects both.
    private func chooseTwo() throws -> Started {
        for name in ViewerSharingTests.two { try library.add(name) }
        let viewer = try screen.view([])
        try screen.shows("list item: Oak Gym membership", "list item: Fern & Fold")
        try screen.keys("Down", "ctrl+a")
        try screen.shows("label: 2 passes selected")
        return viewer
    }

    private func octets(in folder: URL) throws -> Set<Data> {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Set(names.map { try Data(contentsOf: folder.appendingPathComponent($0)) })
    }

    private func octets() throws -> Set<Data> {
        try Set(ViewerSharingTests.two.map(ViewerSharingTests.sample))
    }

    @Test("to a folder, under distinct names; nothing there is overwritten")
    func folder() throws {
        let folder = home.folder.appendingPathComponent("exported")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let viewer = try chooseTwo()
        for copies in 1...2 {
            try screen.keys("ctrl+s")
            try screen.shows("Export Passes")
            try screen.type(folder.path)
            try screen.keys("Return")
            try screen.shows("2 passes exported to")
            #expect(try octets(in: folder) == octets())
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.count == 2 * copies)
            try screen.press("Close")
        }
        try library.end(viewer)
    }

    @Test("by mail, in one message; the mail program's copies stay for a day")
    func mail() throws {
        let sent = home.folder.appendingPathComponent("sent")
        try FileManager.default.createDirectory(at: sent, withIntermediateDirectories: true)
        try screen.addStandIn(
            "xdg-email",
            """
            number=0
            while [ "$1" = --attach ]; do
                number=$((number + 1)); cp "$2" '\(sent.path)'/$number; shift 2
            done
            echo $number > '\(home.path("count"))'
            """)
        let old = home.folder.appendingPathComponent("passconduit-copies-AAAAAA")
        try FileManager.default.createDirectory(
            at: old, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data().write(to: old.appendingPathComponent("lock"))
        let days = Date.now.addingTimeInterval(-2 * 86400)
        try FileManager.default.setAttributes([.modificationDate: days], ofItemAtPath: old.path)
        let viewer = try chooseTwo()
        try screen.keys("ctrl+m")
        try library.waits {
            FileManager.default.contents(atPath: home.path("count")) == Data("2\n".utf8)
        }
        #expect(try octets(in: sent) == octets())
        try library.end(viewer)
        let left = try FileManager.default.contentsOfDirectory(atPath: home.folder.path)
        #expect(left.filter { $0.hasPrefix("passconduit-copies-") }.count == 1)
        #expect(!FileManager.default.fileExists(atPath: old.path))
    }

    @Test(
        "with the mouse, all selected passes; a dropped file is asked about",
        .enabled(if: OtherWindow.isPossible, "needs GTK 4 in Python"))
    func drag() throws {
        let viewer = try chooseTwo()
        let cinema = "trusted/event-ticket-cinema.pkpass"
        let other = try OtherWindow(
            screen, giving: LibraryScreen.samples.appendingPathComponent(cinema).path)
        // Drag the first pass of the list, below the heading.
        try other.drag(from: (x: 100, y: 160), to: OtherWindow.centre)
        try library.waits { other.paths != nil }
        let paths = other.paths ?? []
        #expect(paths.count == 2)
        #expect(
            try Set(paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }) == octets())
        try other.drag(from: OtherWindow.centre, to: (x: 150, y: 400))
        try screen.shows("frame: Add Pass", "push button: Add")
        try screen.press("Add")
        try library.waits { try library.count == 3 }
        try screen.hides("frame: Add Pass")
        try library.end(viewer)
    }

    @Test(
        "on a full disk this is reported, and no partial file is left",
        .enabled(if: Mounts.arePossible, Mounts.reason), arguments: [1, 2])
    func full(count: Int) throws {
        let disk = home.folder.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        for name in ViewerSharingTests.two { try library.add(name) }
        // A disk that only the window sees, and that is removed with it. One page is for the folder
        // itself.
        let viewer = try Started(
            screen.program("/usr/bin/unshare"),
            [
                "-m", "sh", "-ec",
                """
                mount -t tmpfs -o size=4k none "$1"; shift
                "$@"
                find disk -type f > left
                """, "sh", disk.path, screen.program("passconduit-viewer").path,
            ])
        try screen.shows("list item: Oak Gym membership", "list item: Fern & Fold")
        try screen.keys("Down")
        if count == 2 { try screen.keys("ctrl+a") }
        try screen.shows(count == 2 ? "label: 2 passes selected" : "History (1)")
        try screen.keys("ctrl+s")
        try screen.shows(count == 2 ? "Export Passes" : "Export Pass")
        if count == 1 { try screen.keys("ctrl+a") }
        try screen.type(disk.path + (count == 2 ? "" : "/pass.pkpass"))
        try screen.keys("Return")
        try screen.shows("no space left on device")
        if count == 2 { try screen.shows("alert: 0 of 2 passes were exported") }
        try library.end(viewer)
        #expect(try String(contentsOfFile: home.path("left"), encoding: .utf8).isEmpty)
    }
}
