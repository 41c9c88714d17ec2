import Foundation
import Testing

/// A private screen for one test, with the accessibility bus through which windows describe their
/// contents.
final class Display {
    let home: Home
    private var servers: [Process] = []
    private(set) var environment: [String: String] = [:]
    private let viewing: [String: String]
    private var observer: Observer?

    static let isPossible = [
        "/usr/bin/Xvfb", "/usr/bin/dbus-daemon", "/usr/bin/xdotool", "/usr/bin/import",
        "/usr/libexec/at-spi-bus-launcher",
    ].allSatisfy(FileManager.default.isExecutableFile)

    /// - Parameter variables: Environment variables for the viewer only.
    init(
        _ home: Home, width: Int = 1280, height: Int = 1000, _ variables: [String: String] = [:]
    ) throws {
        viewing = variables
        self.home = home
        try FileManager.default.createDirectory(
            atPath: home.path("runtime"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let display = try serve(
            "/usr/bin/Xvfb",
            ["-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp"])
        environment = [
            "DISPLAY": ":\(display)", "TMPDIR": home.folder.path,
            "XDG_RUNTIME_DIR": home.path("runtime"),
            // Draw without a graphics card.
            "GSK_RENDERER": "cairo",
        ]
        environment["DBUS_SESSION_BUS_ADDRESS"] = try serve(
            "/usr/bin/dbus-daemon", ["--session", "--nofork", "--print-address=1"])
        // An application looks for the accessibility bus once and does not start it concurrently
        // with others, so start it first.
        _ = try look(["hides", "nothing"])
    }

    deinit {
        observer = nil
        for server in servers.reversed() {
            server.terminate()
            server.waitUntilExit()
        }
    }

    /// Starts a server that runs until the test ends, and returns the first line that it prints.
    private func serve(_ path: String, _ arguments: [String]) throws -> String {
        let output = try home.write(Data(), to: "served-\(servers.count)")
        // The test thread blocks most signals. A child would inherit that and could not be
        // terminated.
        let unblocking = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execv(sys.argv[1], sys.argv[1:])
            """
        servers.append(
            try program("/usr/bin/python3").start(
                ["-c", unblocking, path] + arguments,
                output: FileHandle(forWritingTo: output)))
        for _ in 0..<600 {
            let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            if let end = text.firstIndex(of: "\n") { return String(text[..<end]) }
            Thread.sleep(forTimeInterval: 0.05)
        }
        throw Unanswered(path: path)
    }

    struct Unanswered: Error {
        let path: String
    }

    /// Puts a program, written as a `sh` script, before the system's programs.
    func addStandIn(_ name: String, _ script: String) throws {
        let file = try home.write(Data("#!/bin/sh\n\(script)\n".utf8), to: "bin/\(name)")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: file.path)
        environment["PATH"] = home.path("bin") + ":" + Program.searchPath
    }

    func program(_ name: String) -> Program {
        Program(name, home: home, environment: environment)
    }

    /// Starts the viewer.
    ///
    /// - Parameter script: A program that starts it in another way.
    func view(_ arguments: [String], through script: String? = nil) throws -> Started {
        var viewer = program(script ?? "passconduit-viewer")
        viewer.environment.merge(viewing) { $1 }
        return try Started(viewer, arguments)
    }

    /// Waits until all of these texts are shown, as `role: name` or a part of it. Returns
    /// everything shown.
    @discardableResult
    func shows(
        _ texts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let result = try look(["shows"] + texts)
        if !result.found { keepPicture(sourceLocation) }
        #expect(
            result.found, "\(texts) in:\n\(result.shown)",
            sourceLocation: sourceLocation)
        return result.shown
    }

    /// Waits until none of these texts is shown.
    func hides(_ texts: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try look(["hides"] + texts)
        if !result.found { keepPicture(sourceLocation) }
        #expect(
            result.found, "\(texts) in:\n\(result.shown)",
            sourceLocation: sourceLocation)
    }

    /// Presses the button with this name as soon as it is enabled.
    func press(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try look(["press", name])
        if !result.found { keepPicture(sourceLocation) }
        #expect(result.found, "\(name): \(result.shown)", sourceLocation: sourceLocation)
    }

    /// Presses keys, by their X names.
    func keys(_ names: String...) throws {
        _ = try program("/usr/bin/xdotool").run(["key", "--delay", "50"] + names)
    }

    func type(_ text: String) throws {
        _ = try program("/usr/bin/xdotool").run(["type", "--delay", "50", text])
    }

    /// Resizes a window to this size, as if the user dragged its corner.
    func resize(_ window: String, width: Int, height: Int) throws {
        _ = try program("/usr/bin/xdotool").run(
            ["search", "--sync", "--name", "^\(window)$", "windowsize", "\(width)", "\(height)"])
    }

    /// The whole screen as a PNG.
    func picture() throws -> String {
        let path = home.path("screen.png")
        _ = try program("/usr/bin/import").run(["-window", "root", path])
        return path
    }

    /// Saves a screenshot for debugging a failure: `.build/tests/screens/FILE-LINE.png`.
    func keepPicture(_ place: SourceLocation) {
        let folder = Program.package.appendingPathComponent(".build/tests/screens")
        let name = place.fileName.replacing(".swift", with: "-\(place.line).png")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try? program("/usr/bin/import").run(
            ["-window", "root", folder.appendingPathComponent(name).path])
    }

    /// Whether the expected items appeared, and everything that is shown.
    private struct Sight: Decodable {
        let found: Bool
        let shown: String
    }

    private func look(_ words: [String]) throws -> Sight {
        // The contents change while they are read, and the accessibility library sometimes crashes
        // then.
        for _ in 0..<5 {
            let observer = try observer ?? Observer(program("/usr/bin/python3"), script)
            self.observer = observer
            if let answer = try observer.ask(words) {
                return try JSONDecoder().decode(Sight.self, from: answer)
            }
            self.observer = nil
        }
        throw Unanswered(path: "python3")
    }

    private let script = #"""
        import json, sys, time, gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi, GLib

        def state(node):
            states = node.get_state_set()
            if node.get_role() == Atspi.Role.LIST_ITEM:
                return " (focused)" if states.contains(Atspi.StateType.FOCUSED) else ""
            if node.get_role() != Atspi.Role.CHECK_BOX: return ""
            isOn = states.contains(Atspi.StateType.CHECKED) or states.contains(Atspi.StateType.PRESSED)
            return " (on)" if isOn else " (off)"

        def nodes(node, depth=0):
            try:
                if depth > 0 and not node.get_state_set().contains(Atspi.StateType.VISIBLE): return
                yield node, node.get_role_name() + ": " + (node.get_name() or "") + state(node)
                for index in range(min(node.get_child_count(), 100)):
                    yield from nodes(node.get_child_at_index(index), depth + 1)
            except (GLib.Error, AttributeError):
                pass  # It is gone meanwhile.

        def everything():
            desktop = Atspi.get_desktop(0)
            for index in range(desktop.get_child_count()):
                yield from nodes(desktop.get_child_at_index(index))

        def press(name):
            for node, text in everything():
                if text == "push button: " + name and node.get_state_set().contains(
                    Atspi.StateType.SENSITIVE):
                    return node.get_action_iface().do_action(0)

        def look(verb, texts):
            end = time.monotonic() + 60
            shown, pause = "", 0.05
            while time.monotonic() < end:
                Atspi.get_desktop(0).clear_cache()
                if verb == "press" and press(texts[0]): return True, ""
                shown = "".join(text + "\n" for _, text in everything())
                if verb == "shows" and all(text in shown for text in texts): return True, shown
                if verb == "hides" and not any(text in shown for text in texts): return True, shown
                # Looking takes the time of who draws, too.
                time.sleep(pause)
                pause = min(pause * 1.5, 0.5)
            return False, shown

        for line in sys.stdin:
            found, shown = look(*json.loads(line))
            print(json.dumps(dict(found=found, shown=shown)), flush=True)
        """#
}

/// A program that answers each line of input with one line, both JSON.
private final class Observer {
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()
    /// As long as this process has a reader open, writing to a program that has exited raises no
    /// SIGPIPE.
    private let unread: FileHandle

    init(_ program: Program, _ script: String) throws {
        let copy = fcntl(input.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        unread = FileHandle(fileDescriptor: copy, closeOnDealloc: true)
        process = try program.start(["-c", script], input: input, output: output)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Nil if the program has exited.
    func ask(_ words: [String]) throws -> Data? {
        let question: [Any] = [words[0], Array(words.dropFirst())]
        let line = try JSONSerialization.data(withJSONObject: question) + Data("\n".utf8)
        try input.fileHandleForWriting.write(contentsOf: line)
        var answer = Data()
        while answer.last != UInt8(ascii: "\n") {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { return nil }
            answer += piece
        }
        return answer
    }
}
