import Foundation

/// An Xvfb server for windows.
struct Screen {
    /// The file that contains the display number.
    private let file: URL

    init(in corpus: URL) {
        file = corpus.absoluteURL.standardizedFileURL.appendingPathComponent("display")
    }

    /// - Returns: The server process, which the caller terminates.
    func open() throws -> Process {
        try Data().write(to: file)
        let server = Process()
        server.executableURL = URL(filePath: "/usr/bin/Xvfb")
        server.arguments = ["-displayfd", "1", "-screen", "0", "1280x1000x24", "-nolisten", "tcp"]
        server.standardInput = FileHandle.nullDevice
        server.standardOutput = try FileHandle(forWritingTo: file)
        server.standardError = FileHandle.nullDevice
        do { try server.run() } catch { throw BenchError.missing("Xvfb") }
        for _ in 0..<100 where server.isRunning {
            if let number = try? Data(contentsOf: file), number.last == UInt8(ascii: "\n") {
                return server
            }
            usleep(50_000)
        }
        server.terminate()
        throw BenchError.failed("Xvfb does not start")
    }

    /// A command that runs a program until a window with this title is visible.
    func words(_ program: [String], untilShown title: String) -> [String] {
        words(program, shown: title, then: "kill $window; wait $window; exit 0")
    }

    /// A command that runs a program, pages through its list at the speed of key repeat, and quits
    /// with Ctrl+Q. It ends when all pages were drawn.
    func words(_ program: [String], paging title: String) -> [String] {
        words(
            program, shown: title,
            then: """
                xdotool key Home
                for tens in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                    xdotool key --delay 16 Next Next Next Next Next Next Next Next Next Next
                done
                xdotool key ctrl+q; wait $window
                """)
    }

    private func words(_ program: [String], shown title: String, then rest: String) -> [String] {
        // xdotool's own waiting polls only twice a second.
        let script = """
            DISPLAY=:$(cat "$1") GSK_RENDERER=cairo title=$2; shift 2; export DISPLAY GSK_RENDERER
            "$@" > /dev/null 2>&1 & window=$!
            until xdotool search --onlyvisible --name "$title" > /dev/null 2>&1; do
                kill -0 $window || exit 1
            done
            \(rest)
            """
        return ["sh", "-c", script, "sh", file.path, title] + program
    }
}

/// Works that open windows.
extension Works {
    private var screen: Screen { Screen(in: corpus.folder) }

    /// The time from program start to the window of a pass.
    func view(_ piece: Piece) -> Work {
        let program = [
            programs.built("passconduit-viewer"), "--trust-root", corpus.root(piece),
            corpus.path(piece),
        ]
        return Work(
            name: "window with a \(piece.label)",
            words: screen.words(program, untilShown: "^Add Pass$"), piece: piece, shows: true)
    }

    /// The time from program start to the library window.
    func viewLibrary(_ piece: Piece) -> Work {
        let program = [programs.built("passconduit-viewer"), "--library", corpus.path(piece)]
        return Work(
            name: "window with a \(piece.label)",
            words: screen.words(program, untilShown: "^Passes$"), piece: piece, shows: true)
    }

    /// Scrolls 200 pages of the library's list. Pages drawn more slowly than key repeat delay the
    /// end.
    func scroll(_ piece: Piece) -> Work {
        let program = [programs.built("passconduit-viewer"), "--library", corpus.path(piece)]
        return Work(
            name: "200 pages of a \(piece.label)",
            words: screen.words(program, paging: "^Passes$"), piece: piece, shows: true)
    }

    /// The same in a plain GTK list.
    func list(of count: Int) -> Work {
        let program = ["/usr/bin/python3", programs.reference("list.py"), "\(count)"]
        return Work(
            name: "200 pages of a GTK list",
            words: screen.words(program, paging: "^Rows$"), piece: .pass, shows: true)
    }

    /// A GTK window with text.
    func demonstration(_ piece: Piece) -> Work {
        Work(
            name: "gtk4-demo-application",
            words: screen.words(
                ["gtk4-demo-application"], untilShown: "^Application Class$"),
            piece: piece, shows: true)
    }
}
