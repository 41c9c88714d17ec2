import Foundation
import PassFixtures
import PassStore
import PassVerification
import Testing

@Suite("The user's library and trust folder are where the command has them")
struct PassLocationsTests {
    @Test(
        "the library",
        arguments: [
            (["HOME": "/h"], "/h/.local/share/passconduit"),
            (["HOME": "/h", "XDG_DATA_HOME": "/data"], "/data/passconduit"),
            (["HOME": "/h", "XDG_DATA_HOME": "data"], "/h/.local/share/passconduit"),
            (["HOME": "/h", "XDG_DATA_HOME": ""], "/h/.local/share/passconduit"),
            (["HOME": "/h", "PASSCONDUIT_LIBRARY": "/l a#b"], "/l a#b"),
            (["HOME": "/h", "PASSCONDUIT_LIBRARY": ""], "/h/.local/share/passconduit"),
            (
                ["HOME": "/h", "PASSCONDUIT_LIBRARY": "l"],
                FileManager.default.currentDirectoryPath + "/l"
            ),
        ])
    func library(variables: [String: String], path: String) {
        #expect(PassLocations(environment: variables).library.path == path)
    }

    @Test(
        "the trust folder",
        arguments: [
            (["HOME": "/h"], "/h/.config/passconduit/trust"),
            (["HOME": "/h", "XDG_CONFIG_HOME": "/c"], "/c/passconduit/trust"),
            (["HOME": "/h", "XDG_CONFIG_HOME": "c"], "/h/.config/passconduit/trust"),
        ])
    func trustFolder(variables: [String: String], path: String) {
        #expect(PassLocations(environment: variables).trustFolder.path == path)
    }

    @Test("without HOME, in the home folder of the user")
    func noHome() {
        let path = NSHomeDirectory() + "/.local/share/passconduit"
        #expect(PassLocations(environment: [:]).library.path == path)
    }

    @Test("by default, for the environment of this process")
    func processEnvironment() {
        let locations = PassLocations(environment: ProcessInfo.processInfo.environment)
        #expect(PassLocations.default == locations)
    }

    @Test("the default library is opened for reading, and the verifier trusts the user's folder")
    func defaults() throws {
        let scratch = Scratch()
        let (library, settings) = (
            scratch.url.appending(path: "library"), scratch.url.appending(path: "settings")
        )
        let maker = try PassMaker.ofTickets()
        let trust = TrustFolder(settings.appending(path: "passconduit/trust"))
        let kept = try trust.add(maker.authorityCertificate)
        #expect(try report(library, settings) == ["noSuchLibrary", kept[0].anchor.fingerprint])
        #expect(!FileManager.default.fileExists(atPath: library.path))
        _ = try PassLibrary(at: library, for: .writing).add([TestPass(serial: "7").incoming()])
        #expect(
            try report(library, settings) == ["7", "cannotWrite", kept[0].anchor.fingerprint])
    }

    /// What another process reports of its default library and verifier.
    private func report(_ library: URL, _ settings: URL) throws -> [String] {
        let file = settings.appending(path: "report")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--testing-library", "swift-testing", "--filter", "PassLocationsTests/reporter",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "PASSCONDUIT_LIBRARY": library.path, "XDG_CONFIG_HOME": settings.path,
            "LOCATIONS_REPORT": file.path,
        ]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map(String.init)
    }

    private static let reportPath = ProcessInfo.processInfo.environment["LOCATIONS_REPORT"]

    @Test("the process that reports", .enabled(if: reportPath != nil))
    func reporter() throws {
        var lines: [String] = []
        do throws(LibraryError) {
            let library = try PassLibrary.default
            let passes = try library.passes()
            lines += passes.map(\.serialNumber)
            for pass in passes { try library.remove(pass.identity) }
        } catch {
            lines.append("\(error)".prefix { $0 != "(" }.description)
        }
        let anchors = try PassVerifier.default.anchors
        lines += anchors.all.map(\.fingerprint).filter { fingerprint in
            !TrustAnchors.apple.all.contains { $0.fingerprint == fingerprint }
        }
        try Data(lines.joined(separator: "\n").utf8)
            .write(to: URL(fileURLWithPath: try #require(Self.reportPath)))
    }
}
