import Foundation
import Testing

@Suite("setup makes passconduit the desktop's default program for passes")
final class SetupTests {
    private var desktop: Desktop
    private var program: Program { desktop.program }

    init() throws {
        desktop = try Desktop()
    }

    deinit { desktop.remove() }

    @Test("for both types, for the wrong types that senders use, and for the URLs of passes")
    func defaults() throws {
        #expect(try desktop.defaultEntry() == "")
        let result = try program.run(["setup"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors == "")
        #expect(try desktop.defaultEntry() == Desktop.entry)
        #expect(try desktop.defaultEntry(for: Desktop.type + "es") == Desktop.entry)
        #expect(try desktop.defaultEntry(for: Desktop.scheme) == Desktop.entry)
        let types = [Desktop.type, Desktop.type + "es", "application/x-passbook", Desktop.scheme]
        for type in types {
            let gio = try program.shell("gio mime \(type)").lines.first ?? ""
            #expect(gio.hasSuffix(": \(Desktop.entry)"), "\(type): \(gio)")
        }
        #expect(
            try program.shell("desktop-file-validate .local/share/applications/*.desktop").output
                == "")
    }

    @Test("a double click, a browser or a file manager starts it with the pass")
    func opened() throws {
        let path = desktop.shared.path("bin/passconduit")
        try setUp(at: path)
        try desktop.addStandIn(at: path)
        let pass = desktop.home.path("boarding pass.pkpass")
        try FileManager.default.copyItem(atPath: Desktop.sample, toPath: pass)
        let url = URL(fileURLWithPath: pass).absoluteString
        let opened = "boarding pass.pkpass"
        #expect(
            try desktop.startedWords(by: "DISPLAY=:9 xdg-open '\(opened)'") == ["open", opened])
        #expect(try desktop.startedWords(by: "DISPLAY=:9 xdg-open '\(url)'").first == "open")
        #expect(try desktop.startedWords(by: "gio open '\(opened)'") == ["open", pass])
        try FileManager.default.moveItem(atPath: pass, toPath: desktop.home.path("two.pkpasses"))
        #expect(
            try desktop.startedWords(by: "gio open two.pkpasses").last?.hasSuffix("/two.pkpasses")
                == true)
    }

    @Test("other programs open a pass of the library by its URL, which stays encoded")
    func openedURL() throws {
        let path = desktop.shared.path("bin/passconduit")
        try setUp(at: path)
        try desktop.addStandIn(at: path)
        let url = "passconduit:pass/pass.example.test/a%2Fb%20%C3%BC%25"
        #expect(try desktop.startedWords(by: "gio open '\(url)'") == ["open", url])
        #expect(try desktop.startedWords(by: "DISPLAY=:9 xdg-open '\(url)'") == ["open", url])
    }

    @Test("after a setup by a version without the scheme, only the scheme is added")
    func schemeAdded() throws {
        try desktop.addStandIn()
        let before = try desktop.tree()
        #expect(try program.run(["setup"]).status == 0)
        try program.shellDone("sed -i '\\:^\(Desktop.scheme)=:d' .config/mimeapps.list")
        #expect(try program.run(["setup"]).status == 0)
        try program.shellDone("grep -qx '\(Desktop.scheme)=\(Desktop.entry)' .config/mimeapps.list")
        #expect(try program.run(["setup", "--remove"]).status == 0)
        #expect(try desktop.tree() == before)
    }

    @Test(
        "if its name is not in the search path, the entry contains its path",
        arguments: [
            "plain", "with space", "dollar $HOME", #"quote"d"#, "`id` & (so on)", #"back\slash"#,
        ])
    func path(folder: String) throws {
        let path = desktop.shared.path("\(folder)/passconduit")
        try setUp(at: path)
        try desktop.addStandIn(at: path)
        #expect(
            try desktop.startedWords(by: "gio open \"$SAMPLE\"")
                == ["open", Desktop.sample])
    }

    /// Runs setup of the program in another folder, and validates the entry with the search path of
    /// a desktop, which does not contain that folder.
    private func setUp(at path: String, options: String = "") throws {
        var moved = program
        moved.environment["MOVED"] = path
        let result = try moved.shell(
            """
            folder="$(dirname "$MOVED")" && mkdir -p "$folder"
            ln "$PROGRAM" "$MOVED" 2>/dev/null || cp "$PROGRAM" "$MOVED"
            PATH="$folder:$PATH" LD_LIBRARY_PATH="$(dirname "$PROGRAM")" "$MOVED" setup \(options) &&
            rm "$MOVED" && desktop-file-validate .local/share/applications/*.desktop >&2
            """)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors == "")
    }

    @Test("the menu of applications shows the library, and no second entry")
    func menu() throws {
        #expect(try program.run(["setup"]).status == 0)
        let shown = try program.shell(
            """
            python3 -c '
            from gi.repository import Gio
            print(*[app.get_id() for app in Gio.AppInfo.get_all() if app.should_show()])'
            """)
        #expect(shown.lines == [Desktop.launcher], "\(shown.errors)")
    }

    @Test("the menu entry starts the viewer, and opens files that are dropped on it")
    func launched() throws {
        let viewer = desktop.shared.path("with space/passconduit-viewer")
        try desktop.addStandIn(at: viewer)
        try setUp(at: desktop.shared.path("with space/passconduit"))
        let launch = "gio launch .local/share/applications/\(Desktop.launcher) \"$SAMPLE\""
        #expect(try desktop.startedWords(by: launch) == [Desktop.sample])
    }

    @Test("without the viewer there is no menu entry")
    func withoutViewer() throws {
        try setUp(at: desktop.shared.path("bin/passconduit"))
        let entries = try program.shell("cd .local/share/applications && ls *.desktop")
        #expect(entries.lines == [Desktop.entry])
    }

    @Test("the entry never names a different program of the same name")
    func otherProgram() throws {
        try desktop.addStandIn()
        #expect(try program.run(["setup", "--mailcap"]).status == 0)
        let own = try program.shell("realpath \"$PROGRAM\"").lines.first ?? ""
        let entry = try program.shell("cat .local/share/applications/*.desktop .mailcap").output
        #expect(entry.contains("\nTryExec=\(own)\n"))
        #expect(entry.contains("; \(own) open "))
        #expect(!entry.contains("=passconduit") && !entry.contains("; passconduit "))
    }

    @Test("a second run changes nothing")
    func twice() throws {
        #expect(try program.run(["setup", "--mailcap"]).status == 0)
        let once = try desktop.tree()
        let again = try program.run(["setup", "--mailcap"])
        #expect(again.status == 0)
        #expect(try desktop.tree() == once)
        #expect(again.lines.allSatisfy { $0.hasPrefix("unchanged ") || $0.hasPrefix("updated ") })
    }

    @Test("--dry-run prints the plan and changes nothing")
    func plan() throws {
        let before = try desktop.tree()
        let planned = try program.run(["setup", "--mailcap", "--dry-run"])
        #expect(planned.status == 0)
        #expect(try desktop.tree() == before)
        let done = try program.run(["setup", "--mailcap"])
        let words = [("write", "wrote"), ("update", "updated"), ("set", "set"), ("add", "added")]
        let promised = planned.lines.map { line in
            let column = line.prefix(15).trimmingCharacters(in: .whitespaces)
            let word = words.first { "would \($0.0)" == column }?.1 ?? column
            return word.padding(toLength: 11, withPad: " ", startingAt: 0) + line.dropFirst(15)
        }
        #expect(promised == done.lines)
        let registered = try desktop.tree()
        #expect(try program.run(["setup", "--remove", "--dry-run"]).status == 0)
        #expect(try desktop.tree() == registered)
    }

    @Test("system-wide files are not written again, but passconduit becomes the default")
    func forEveryone() throws {
        let made = try program.shell(
            """
            cd \(Program.package.path)/desktop && umask 022 && rm "$XDG_DATA_DIRS/mime" &&
            cp -rL /usr/share/mime "$XDG_DATA_DIRS" && cp mime/passconduit.xml "$XDG_DATA_DIRS/mime/packages" &&
            install -D -m 644 -t "$XDG_DATA_DIRS/applications" *.desktop &&
            install -D -m 644 -t "$XDG_DATA_DIRS/icons/hicolor/scalable/apps" icons/apps/*t.svg &&
            install -D -m 644 -t "$XDG_DATA_DIRS/icons/hicolor/symbolic/apps" icons/apps/*symbolic.svg &&
            install -D -m 644 -t "$XDG_DATA_DIRS/icons/hicolor/scalable/mimetypes" icons/mimetypes/*.svg
            """)
        try #require(made.status == 0, "\(made.errors)")
        try desktop.addStandIn()
        let before = try desktop.tree()
        let result = try program.run(["setup"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.output.contains("wrote"))
        #expect(result.output.contains("installed for all users"))
        #expect(try desktop.defaultEntry() == Desktop.entry)
        #expect(!FileManager.default.fileExists(atPath: desktop.home.path(".local/share")))
        #expect(try program.run(["setup", "--remove"]).status == 0)
        #expect(try desktop.tree() == before)
    }

    @Test(
        "a missing program is reported, and the rest is done",
        arguments: ["update-mime-database", "update-desktop-database", "xdg-mime"])
    func missing(tool: String) throws {
        let before = try desktop.tree()
        try FileManager.default.createDirectory(
            atPath: desktop.shared.path("tools"), withIntermediateDirectories: true)
        var limited = program
        limited.environment["TOOLS"] = desktop.shared.path("tools")
        limited.environment["MISSING"] = tool
        let linked = try limited.shell(
            "cd \"$TOOLS\" && ln -s /usr/bin/* . && rm -f passconduit \"$MISSING\"")
        try #require(linked.status == 0)
        limited.environment["PATH"] = desktop.shared.path("tools")
        let result = try limited.run(["setup"])
        #expect(result.status == 2)
        #expect(
            result.errors.hasPrefix("passconduit: \(tool): there is no such program (Debian: "))
        #expect(result.output.contains("wrote"))
        let isChosen = FileManager.default.fileExists(
            atPath: desktop.home.path(".config/mimeapps.list"))
        #expect(isChosen == (tool != "xdg-mime"))
        // After the missing program is added, the rest is done as well.
        #expect(try program.run(["setup"]).status == 0)
        #expect(try desktop.defaultEntry() == Desktop.entry)
        #expect(try program.run(["setup", "--remove"]).status == 0)
        #expect(try desktop.tree() == before)
    }

    @Test("without mimetype, xdg-open takes passes for ZIP archives, which is reported")
    func names() throws {
        try FileManager.default.createDirectory(
            atPath: desktop.shared.path("tools"), withIntermediateDirectories: true)
        var limited = program
        limited.environment["TOOLS"] = desktop.shared.path("tools")
        try limited.shellDone("cd \"$TOOLS\" && ln -s /usr/bin/* . && rm -f passconduit mimetype")
        limited.environment["PATH"] = desktop.shared.path("tools")
        let result = try limited.run(["setup"])
        #expect(result.status == 2)
        #expect(
            result.errors == """
                passconduit: xdg-open: it takes a pass for application/zip: \
                install mimetype (Debian: libfile-mimeinfo-perl)

                """)
        #expect(try desktop.defaultEntry() == Desktop.entry)
    }

    @Test("a desktop-specific default that takes precedence is reported")
    func overridden() throws {
        try desktop.home.write(
            Data("[Desktop Entry]\nType=Application\nName=Other\nExec=true %f\n".utf8),
            to: ".local/share/applications/other.desktop")
        try desktop.home.write(
            Data("[Default Applications]\n\(Desktop.type)=other.desktop\n".utf8),
            to: ".config/x-generic-mimeapps.list")
        let result = try program.run(["setup"])
        #expect(result.status == 2)
        #expect(
            result.errors == "passconduit: \(Desktop.type): it still opens with other.desktop\n")
    }
}
