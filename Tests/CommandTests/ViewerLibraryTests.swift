import BarcodeReading
import Foundation
import Testing

@Suite(
    "the library window shows the passes in the library",
    .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"))
final class ViewerLibraryTests {
    private let library: LibraryScreen
    private var home: Home { library.home }
    private var screen: Display { library.screen }
    private var program: Program { library.program }

    init() throws { library = try LibraryScreen() }

    @Test("changes by other programs appear at once")
    func follows() throws {
        let viewer = try screen.view([])
        try screen.shows("There are no passes yet")
        try library.add("trusted/generic-gym.pkpass")
        try screen.shows("Oak Gym membership")
        try library.add("trusted/coupon-shop.pkpass")
        try screen.shows("Oak Gym membership", "Fern & Fold")
        _ = try program.run(["remove", "--yes", "1"])
        try screen.hides("Oak Gym membership")
        try screen.shows("Fern & Fold")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }

    @Test("the desktop finds the launcher and the icon by the class of the window")
    func windowClass() throws {
        let viewer = try screen.view([])
        try screen.shows("There are no passes yet")
        let id = (Desktop.launcher as NSString).deletingPathExtension
        for kind in ["--class", "--classname"] {
            let found = try screen.program("/usr/bin/xdotool").run(["search", kind, "^\(id)$"])
            #expect(found.status == 0, "\(kind)")
        }
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }

    @Test("typing searches, Enter opens the result, Escape ends the search")
    func search() throws {
        try library.add("trusted/generic-gym.pkpass", "trusted/coupon-shop.pkpass")
        let viewer = try screen.view([])
        try screen.shows("Oak Gym membership", "Fern & Fold")
        try screen.type("fer")
        try screen.hides("list item: Oak Gym membership")
        try screen.keys("Return")
        try screen.shows("label: Trusted", "History (1)")
        try screen.keys("Escape")
        try screen.shows("list item: Oak Gym membership")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }

    @Test("the first stored pass of the passURLs is selected, and the missing ones are named")
    func passURLs() throws {
        try library.add("trusted/generic-gym.pkpass", "trusted/coupon-shop.pkpass")
        let urls = ["example.oak/1", "example.fern/FERN-SPRING-7", "example.oak/OAK-5521"]
            .map { "passconduit:pass/pass.\($0)" }
        let viewer = try screen.view(urls)
        // The picture of the pass beside the list.
        try screen.shows("image: Fern & Fold", "label: Trusted")
        try screen.shows("there is no pass pass.example.oak/1 in the library at ")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 2)
        let second = try screen.view([urls[2], urls[1]])
        try screen.shows("image: Oak Gym", "label: Trusted")
        try library.end(second)
    }

    @Test("a passURL without a library is reported, and none is made")
    func passURLWithoutLibrary() throws {
        let viewer = try screen.view(["passconduit:pass/pass.example.oak/1"])
        try screen.shows(
            "frame: Passes", "passconduit:pass/pass.example.oak/1: there is no library")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 2)
        #expect(!FileManager.default.fileExists(atPath: library.folder.path))
    }

    @Test("a pass whose authority was removed is marked, in the list and above the pass")
    func removedAuthority() throws {
        try library.add("trusted/generic-gym.pkpass")
        let folder = home.path(".config/passconduit/trust")
        try FileManager.default.moveItem(atPath: folder, toPath: folder + "-elsewhere")
        let viewer = try screen.view([])
        try screen.shows("No longer vouched for")
        try screen.keys("Down", "Down", "Return")
        try screen.shows("No longer vouched for: you no longer trust its authority")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }

    @Test("a removal can be undone, and becomes final when the window closes")
    func remove() throws {
        try library.add("trusted/generic-gym.pkpass")
        let viewer = try screen.view([])
        try screen.shows("list item: Oak Gym membership")
        try screen.keys("Down", "Down", "Delete")
        try screen.shows("Removed: ", "push button: Undo")
        try screen.hides("list item: Oak Gym membership")
        #expect(try library.count == 1)
        try screen.keys("ctrl+z")
        try screen.shows("list item: Oak Gym membership")
        #expect(try library.count == 1)
        try screen.keys("Delete")
        try screen.hides("list item: Oak Gym membership")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
        #expect(try library.count == 0)
    }

    @Test("a pass lists the origins of its versions and their changes")
    func history() throws {
        try library.add(
            "trusted/boarding-pass-air-gate-4.pkpass", "trusted/boarding-pass-air-gate-7.pkpass")
        let viewer = try screen.view([])
        try screen.shows("list item: Nimbus Air")
        try screen.keys("Down", "Down")
        try screen.shows("History (2)")
        try screen.keys("ctrl+h")
        try screen.shows("boarding-pass-air-gate-4.pkpass", "Your gate is now 7")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }

    @Test(
        "the barcode can be scanned from the screen",
        .enabled(if: ZXing.isHere, "no ZXingReader on this computer"))
    func barcode() throws {
        try library.add("trusted/boarding-pass-air-gate-7.pkpass")
        let message = try #require(
            try program.run(["show", "1", "--json"]).records.first.flatMap { record in
                let contents = record["contents"] as? [String: Any]
                let barcodes = contents?["barcodes"] as? [[String: Any]]
                return barcodes?.first?["message"] as? String
            })
        let viewer = try screen.view([])
        try screen.shows("list item: Nimbus Air")
        try screen.keys("Down", "Down")
        try screen.shows("History (1)")
        try screen.keys("F9")
        try screen.shows("frame: Barcode", "label: Nimbus Air", "12A", "push button: Close")
        let read = try ZXing.octets(in: try screen.picture(), format: "Aztec")
        #expect(read == Array(message.utf8))
        // The window behind has a Close button, too. Without a window manager, keys go to the window
        // below the pointer.
        let pointer = screen.program("/usr/bin/xdotool")
        _ = try pointer.run(["mousemove", "1228", "33", "click", "1"])
        try screen.hides("frame: Barcode")
        _ = try pointer.run(["mousemove", "400", "300"])
        try screen.shows("frame: Passes")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }

    @Test("on a narrow screen a pass replaces the list, and Escape goes back")
    func narrow() throws {
        try library.add("trusted/generic-gym.pkpass")
        let viewer = try screen.view([])
        try screen.shows("list item: Oak Gym membership")
        try screen.resize("Passes", width: 360, height: 640)
        try screen.hides("Select a pass.")
        try screen.keys("Down", "Down", "Return")
        try screen.shows("label: Trusted", "push button: Back to the list")
        try screen.hides("list item: Oak Gym membership")
        try screen.keys("Escape")
        try screen.shows("list item: Oak Gym membership")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }

    private static let gym = LibraryScreen.samples.appendingPathComponent(
        "trusted/generic-gym.pkpass")

    @Test("a pass is exported byte for byte to the chosen place")
    func export() throws {
        try library.add("trusted/generic-gym.pkpass")
        let viewer = try screen.view([])
        try screen.shows("list item: Oak Gym membership")
        try screen.keys("Down", "Down")
        try screen.shows("History (1)")
        try screen.keys("ctrl+s")
        try screen.shows("Export Pass")
        try screen.keys("ctrl+a")
        try screen.type(home.path("gym.pkpass"))
        try screen.keys("Return")
        try screen.shows("Exported to")
        let exported = try Data(contentsOf: URL(fileURLWithPath: home.path("gym.pkpass")))
        #expect(try exported == Data(contentsOf: ViewerLibraryTests.gym))
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }

    @Test("a pass is sent with the user's mail program, which gets its own copy")
    func mail() throws {
        try screen.addStandIn(
            "xdg-email", "[ \"$1\" = --attach ] && cp \"$2\" '\(home.path("sent.pkpass"))'")
        try library.add("trusted/generic-gym.pkpass")
        let viewer = try screen.view([])
        try screen.shows("list item: Oak Gym membership")
        try screen.keys("Down", "Down")
        try screen.press("Send by mail")
        let sent = home.path("sent.pkpass")
        let size = try Data(contentsOf: ViewerLibraryTests.gym).count
        for _ in 0..<600 where FileManager.default.contents(atPath: sent)?.count != size {
            Thread.sleep(forTimeInterval: 0.05)
        }
        #expect(
            try FileManager.default.contents(atPath: sent)
                == Data(contentsOf: ViewerLibraryTests.gym))
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
        // The user may send the mail long after the window was closed.
        let left = try FileManager.default.contentsOfDirectory(atPath: home.folder.path)
        #expect(left.contains { $0.hasPrefix("passconduit-copies-") })
    }
}
