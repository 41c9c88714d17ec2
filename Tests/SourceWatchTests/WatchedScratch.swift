import Bytes
import Foundation
import MailSource

@testable import SourceWatch

/// A watched folder, with a clock that the test advances. The system reports events before a change
/// returns, so the test never has to wait.
final class WatchedScratch {
    let folder: URL
    var watcher: SourceWatcher
    private var now = ContinuousClock.now

    /// - Parameter script: creates the initial files.
    init(
        _ script: String = "", roots: [String] = ["root"], leavingOut: String? = nil,
        followsLinks: Bool = false, timing: WatchTiming = WatchTiming()
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-watch-\(UUID().uuidString)")
            .resolvingSymlinksInPath()
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("root"), withIntermediateDirectories: true)
        try WatchedScratch.shell(script, in: folder)
        let folder = folder
        watcher = SourceWatcher(
            roots.map { Path("\(folder.path)/\($0)") },
            leavingOut: leavingOut.map { Path("\(folder.path)/\($0)") },
            followsLinks: followsLinks, timing: timing, at: now)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Runs the script, advances the clock until nothing is pending, and returns the sources read.
    func rescans(after script: String = "") throws -> Set<String> {
        try WatchedScratch.shell(script, in: folder)
        var found: [Rescan] = []
        for _ in 0..<3 {
            now += .seconds(6)
            let rescans = watcher.rescans(at: now)
            watcher.finish(rescans, from: now, to: now)
            found += rescans
        }
        return Set(found.map { name($0) })
    }

    /// The sources read within a duration.
    func rescans(in duration: Duration) -> Set<String> {
        now += duration
        let rescans = watcher.rescans(at: now)
        watcher.finish(rescans, from: now, to: now)
        return Set(rescans.map { name($0) })
    }

    func pass(_ duration: Duration) { now += duration }

    var unfinished: Set<String> { Set(watcher.unfinished.map { name($0) }) }

    private func name(_ rescan: Rescan) -> String {
        switch rescan {
        case .everything: "everything"
        case .tree(let path): "\(name(path))/**"
        case .folder(let path): name(path)
        }
    }

    func name(_ path: Path) -> String {
        path.description.replacing(folder.path + "/", with: "")
    }

    static func shell(_ script: String, in folder: URL) throws {
        guard !script.isEmpty else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    }
}
