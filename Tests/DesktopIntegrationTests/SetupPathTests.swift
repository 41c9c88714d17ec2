import Foundation
import Testing

@testable import DesktopIntegration

@Suite("setup uses the program's name only if every user's search path finds it")
struct SetupPathTests {
    @Test(
        "in a system folder that contains this same program",
        arguments: [
            ("/usr/bin/env", "/usr/bin/env", true), ("/usr/bin/env", "/usr/bin/sort", false),
            ("/usr/bin/nowhere", "/usr/bin/nowhere", false), (nil, "/usr/bin/env", false),
            ("/opt/bin/env", "/opt/bin/env", false), ("env", "/usr/bin/env", false),
        ] as [(String?, String, Bool)])
    func found(path: String?, own: String, isFound: Bool) {
        #expect(isFoundByAll(path, as: own) == isFound)
    }

    @Test("a link in the user's own folder works only in the shell")
    func link() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appendingPathComponent("env").path
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "/usr/bin/env")
        #expect(!isFoundByAll(link, as: "/usr/bin/env"))
    }
}
