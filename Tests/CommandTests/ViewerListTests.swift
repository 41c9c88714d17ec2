import Foundation
import Testing

@Suite(
    "the list in the library window follows the search, the clock and the library",
    .enabled(if: Display.isPossible, "needs Xvfb, xdotool, ImageMagick, D-Bus and AT-SPI"))
final class ViewerListTests {
    private let library: LibraryScreen
    private var screen: Display { library.screen }

    init() throws { library = try LibraryScreen() }

    /// A pass for each section of the list.
    private static let parts = [
        DatedPass(serial: "1", description: "Red tram today", relevant: 600),
        DatedPass(serial: "2", description: "Red tram next week", relevant: 7 * 86400),
        DatedPass(serial: "3", description: "Red tram card"),
        DatedPass(serial: "4", description: "Red tram voided", voided: true),
        DatedPass(serial: "5", description: "Red bus today", relevant: 600),
    ]

    @Test("results are shown in their sections; a space is typed wherever the focus is")
    func search() throws {
        try library.add(ViewerListTests.parts)
        let viewer = try screen.view([])
        try screen.shows("list item: Red tram today", "list item: Red bus today")
        try screen.type("red tr")
        try screen.hides("Red bus today")
        let shown = try screen.shows(
            "list item: Now", "list item: Upcoming", "list item: Passes",
            "list item: Past")
        let rows = shown.split(separator: "\n").filter { $0.hasPrefix("list item: ") }
            .map { $0.dropFirst("list item: ".count).split(separator: ",")[0] }
        #expect(
            rows == [
                "Now", "Red tram today", "Upcoming", "Red tram next week", "Passes",
                "Red tram card", "Past", "Red tram voided",
            ])
        try screen.keys("Escape")
        try screen.shows("list item: Red bus today")
        try library.end(viewer)
    }

    @Test("arrow keys skip headings and move between sections")
    func headings() throws {
        try library.add(Array(ViewerListTests.parts.dropLast()))
        let viewer = try screen.view([])
        try screen.shows("list item: Red tram voided")
        try screen.keys("Down", "Down", "Down", "Down")
        try screen.shows(
            "image: Red tram voided", "Red tram voided, Voided \u{B7} Not signed (focused)")
        try screen.keys("Up")
        try screen.shows("image: Red tram card", "Red tram card, Not signed (focused)")
        // The first row is a heading.
        try screen.keys("Home")
        try screen.shows("image: Red tram today")
        try library.end(viewer)
    }

    @Test("Delete removes the pass that has the focus, also after a search was cleared")
    func focus() throws {
        try library.add((1...3).map { DatedPass(serial: "\($0)", description: "Ticket \($0)") })
        let viewer = try screen.view([])
        try screen.shows("list item: Ticket 3")
        try screen.type("ticket 2")
        try screen.hides("list item: Ticket 3")
        try screen.keys("Return", "Escape")
        try screen.shows("list item: Ticket 3", "Ticket 2, Not signed (focused)")
        try screen.keys("Delete")
        try screen.shows("alert: Removed: Ticket 2")
        try screen.hides("list item: Ticket 2")
        try library.end(viewer)
    }

    @Test("an empty library makes GTK write no warnings")
    func empty() throws {
        let viewer = try screen.view([])
        try screen.shows("There are no passes yet")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().errors == "")
    }

    @Test("a library that is damaged at the start is mended on request")
    func damaged() throws {
        try library.add("trusted/generic-gym.pkpass")
        try breakIndex()
        let viewer = try screen.view([])
        try screen.shows("is damaged", "push button: Mend the Library")
        try screen.hides("Reading")
        try screen.press("Mend the Library")
        try screen.shows("list item: Oak Gym membership")
        try screen.hides("is damaged", "Mend")
        try library.end(viewer)
    }

    private func breakIndex() throws {
        let index = library.folder.appendingPathComponent("library.sqlite")
        let file = try FileHandle(forWritingTo: index)
        try file.write(contentsOf: Data((0..<8192).map { _ in UInt8.random(in: 0...255) }))
        try file.close()
    }

    @Test("a pass without a barcode says that NFC needs a phone")
    func nfc() throws {
        try library.add([DatedPass(serial: "1", description: "Door key", nfc: "42")])
        let viewer = try screen.view([])
        try screen.shows("list item: Door key")
        try screen.keys("Down")
        let shown = try screen.shows("Readers take this pass by NFC")
        #expect(!shown.contains("Show Barcode"))
        try library.end(viewer)
    }

    @Test("ending a search keeps the selected result in view")
    func place() throws {
        try library.add(
            (1...600).map { DatedPass(serial: "\($0)", description: "Ticket number \($0)") })
        let viewer = try screen.view([])
        try screen.shows("list item: Ticket number 600,")
        try screen.type("number 2")
        try screen.hides("list item: Ticket number 600,")
        try screen.keys("3", "4")
        try screen.hides("list item: Ticket number 299,")
        try screen.keys("Return")
        try screen.shows("image: Ticket number 234")
        try screen.keys("Escape")
        // The neighbouring rows are shown, but none from the top of the list.
        try screen.shows("list item: Ticket number 234,", "list item: Ticket number 240,")
        try screen.hides("list item: Ticket number 600,")
        try library.end(viewer)
    }

    @Test("a pass that expires while it is shown is marked and moves to its section")
    func clock() throws {
        let viewer = try screen.view([])
        try screen.shows("There are no passes yet")
        try library.add([
            DatedPass(serial: "1", description: "Short ride", relevant: 60, expires: 40),
            DatedPass(serial: "2", description: "Long ride"),
        ])
        try screen.shows("list item: Short ride", "list item: Now")
        try screen.keys("Down")
        try screen.shows("History (1)")
        try screen.shows("Expired just now: Short ride", "list item: Past")
        try screen.hides("list item: Now")
        try screen.shows("list item: Short ride, Expired ")
        try library.end(viewer)
    }

    enum Mishap: CaseIterable { case gone, replaced, broken }

    @Test("a library that is missing, replaced or broken is reported", arguments: Mishap.allCases)
    func mishap(_ mishap: Mishap) throws {
        try library.add("trusted/generic-gym.pkpass")
        let viewer = try screen.view([])
        try screen.shows("list item: Oak Gym membership")
        let folder = library.folder
        switch mishap {
        case .gone:
            try FileManager.default.removeItem(at: folder)
            try screen.shows("alert: there is no library at", "There are no passes yet")
        case .replaced:
            try FileManager.default.removeItem(at: folder)
            try library.add("trusted/coupon-shop.pkpass")
            try screen.shows("list item: Fern & Fold", "The library was replaced by another one")
            try screen.hides("list item: Oak Gym membership")
        case .broken:
            try breakIndex()
            // Passes that were read before are still shown.
            try screen.shows("is damaged", "list item: Oak Gym membership")
            try screen.press("Close")
            try screen.hides("is damaged")
            // The program repairs the library.
            try library.add("trusted/coupon-shop.pkpass")
            try screen.shows("list item: Fern & Fold")
        }
        try library.end(viewer)
    }
}
