import Foundation
import Testing

/// A desktop for one test: its own home, the system's media types, and on request a stand-in for
/// the program that records its arguments.
struct Desktop {
    let home: Home
    /// The system-wide data folder, which contains only the media types of the real system.
    let shared: Home
    var program: Program

    static let type = "application/vnd.apple.pkpass"
    static let scheme = "x-scheme-handler/passconduit"
    static let entry = "org.passconduit.Open.desktop"
    static let launcher = "org.passconduit.Passconduit.desktop"
    static let sample = Program.package.appendingPathComponent(
        "Samples/passes/trusted/boarding-pass-train.pkpass"
    ).path

    init() throws {
        home = try Home(named: "desktop")
        shared = try Home(named: "shared")
        program = Program(
            home: home,
            environment: [
                "XDG_DATA_DIRS": shared.folder.path, "XDG_CURRENT_DESKTOP": "X-Generic",
                "DBUS_SESSION_BUS_ADDRESS": "disabled:", "SAMPLE": Desktop.sample,
            ])
        try FileManager.default.createSymbolicLink(
            atPath: shared.path("mime"), withDestinationPath: "/usr/share/mime")
    }

    func remove() {
        home.remove()
        shared.remove()
    }

    /// Puts the stand-in first in the search path.
    mutating func addStandIn() throws {
        try addStandIn(at: shared.path("bin/passconduit"))
        program.environment["PATH"] = shared.path("bin") + ":" + Program.searchPath
    }

    func addStandIn(at path: String) throws {
        let file = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // The file gets its final name last, so that a waiting test reads it in full.
        let script = """
            #!/bin/sh
            printf '%s\\n' "$@" > '\(shared.path("words"))' && mv '\(shared.path("words"))' '\(startFile)'
            """
        try Data(script.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    private var startFile: String { shared.path("started") }

    /// The arguments with which a shell line started the stand-in; empty if it was not started
    /// within a few seconds.
    func startedWords(by line: String) throws -> [String] {
        try? FileManager.default.removeItem(atPath: startFile)
        return try program.shell(
            """
            \(line) >&2
            for turn in $(seq 100); do [ -e '\(startFile)' ] && break; sleep 0.1; done
            cat '\(startFile)'
            """
        ).lines
    }

    /// All files in the home, with their types, modes, link targets and contents.
    func tree() throws -> [String] {
        try program.shell(
            """
            find . -printf '%p %y %m %l\\n' | sort
            find . -type f -exec sha256sum {} + | sort
            """
        ).lines
    }

    func defaultEntry(for type: String = Desktop.type) throws -> String {
        try program.shell("xdg-mime query default \(type)").lines.first ?? ""
    }
}
