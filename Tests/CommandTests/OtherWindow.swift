import Foundation

/// A window of another program beside the library window, 200 x 200 at (950, 50). It offers a file
/// for dragging and records the files dropped on it.
final class OtherWindow {
    static let centre = (x: 1050, y: 150)
    private let process: Process
    private let screen: Display
    let taken: URL

    static let isPossible: Bool = {
        guard let home = try? Home(named: "gi") else { return false }
        defer { home.remove() }
        let words = ["-c", "import gi; gi.require_version('Gtk', '4.0')"]
        return (try? Program("/usr/bin/python3", home: home).run(words))?.status == 0
    }()

    init(_ screen: Display, giving path: String) throws {
        self.screen = screen
        taken = screen.home.folder.appendingPathComponent("taken")
        process = try screen.program("/usr/bin/python3").start(["-c", script, path, taken.path])
        let move = ["search", "--sync", "--name", "^Other$", "windowmove", "950", "50"]
        _ = try screen.program("/usr/bin/xdotool").run(move)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// The paths of the files dropped on it; nil before a drop.
    var paths: [String]? {
        let lines = (try? String(contentsOf: taken, encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.last == "end" ? lines.dropLast().map(String.init) : nil
    }

    /// Drags with the mouse at the speed of a hand.
    func drag(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) throws {
        let steps = [
            "mousemove \(start.x) \(start.y)", "sleep 0.2", "mousedown 1", "sleep 0.2",
            "mousemove_relative 10 10", "sleep 0.1", "mousemove_relative 15 10", "sleep 0.1",
            "mousemove \(end.x) \(end.y)", "sleep 0.2", "mousemove_relative 3 3", "sleep 0.5",
            "mouseup 1",
        ]
        let words = steps.flatMap { $0.split(separator: " ").map(String.init) }
        _ = try screen.program("/usr/bin/xdotool").run(words)
    }
}

private let script = """
    import signal, sys, gi
    # The thread of a test blocks most signals, and its children would: nothing could end them.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    gi.require_version("Gtk", "4.0")
    gi.require_version("Gdk", "4.0")
    from gi.repository import Gdk, Gio, GLib, Gtk
    given, taken = sys.argv[1], sys.argv[2]
    application = Gtk.Application()

    def drop(_, files, x, y):
        lines = [file.get_path() for file in files.get_files()] + ["end"]
        with open(taken, "w") as out: out.write("".join(line + "\\n" for line in lines))
        return True

    def activate(_):
        window = Gtk.ApplicationWindow(
            application=application, title="Other", default_width=200, default_height=200)
        window.set_decorated(False)
        label = Gtk.Label(label="Other", hexpand=True, vexpand=True)
        window.set_child(label)
        target = Gtk.DropTarget.new(Gdk.FileList, Gdk.DragAction.COPY)
        target.connect("drop", drop)
        label.add_controller(target)
        source = Gtk.DragSource()
        line = Gio.File.new_for_path(given).get_uri() + "\\r\\n"
        source.connect("prepare", lambda *_: Gdk.ContentProvider.new_for_bytes(
            "text/uri-list", GLib.Bytes.new(line.encode())))
        label.add_controller(source)
        window.present()

    application.connect("activate", activate)
    application.run()
    """
