import Foundation
import PassSession
import Testing

@Suite("Without arguments watch uses the default places that exist")
struct PlacesTests {
    @Test(
        "mail, the spool and the downloads",
        arguments: [
            ([:], nil, ["Maildir", "Mail", "Downloads"]),
            (["USER": "ada"], nil, ["Maildir", "Mail", "/var/mail/ada", "Downloads"]),
            (
                ["MAIL": "/spool/x", "USER": "ada"], nil,
                ["Maildir", "Mail", "/spool/x", "Downloads"]
            ),
            (
                [:], "# made by xdg\nXDG_DOWNLOAD_DIR=\"$HOME/Hämtat\"\n",
                ["Maildir", "Mail", "Hämtat"]
            ),
            ([:], "XDG_DOWNLOAD_DIR=\"/data/down\"\n", ["Maildir", "Mail", "/data/down"]),
            ([:], "XDG_DOWNLOAD_DIR=\"$HOME/\"\n", ["Maildir", "Mail"]),
            ([:], "XDG_MUSIC_DIR=\"$HOME/Music\"\n", ["Maildir", "Mail", "Downloads"]),
        ] as [([String: String], String?, [String])])
    func places(variables: [String: String], settings: String?, expected: [String]) throws {
        let home = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-places-\(UUID().uuidString)")
        let folder = home.appendingPathComponent(".config")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        if let settings {
            try Data(settings.utf8).write(to: folder.appendingPathComponent("user-dirs.dirs"))
        }
        let environment = Environment(variables.merging(["HOME": home.path]) { $1 })
        let places = environment.watchedPlaces { _ in true }
        #expect(places == expected.map { $0.hasPrefix("/") ? $0 : "\(home.path)/\($0)" })
        #expect(environment.watchedPlaces { $0.hasSuffix("Mail") } == ["\(home.path)/Mail"])
    }
}
