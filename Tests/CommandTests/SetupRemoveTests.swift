import Foundation
import Testing

@Suite("setup --remove undoes what setup did, and nothing else")
final class SetupRemoveTests {
    private var desktop: Desktop
    private var program: Program { desktop.program }

    init() throws {
        desktop = try Desktop()
    }

    deinit { desktop.remove() }

    private static let otherEntry = """
        mkdir -p .local/share/applications && printf '%s\\n' '[Desktop Entry]' Type=Application Name=Other \
        'Exec=cat %f' 'MimeType=text/plain;application/vnd.apple.pkpass;image/png;' \
        > .local/share/applications/other.desktop
        """

    private static let otherType = """
        mkdir -p .local/share/mime/packages && printf '%s\\n' \
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">' \
        '<mime-type type="application/x-other"><comment>other</comment><glob pattern="*.other"/>' \
        '</mime-type></mime-info>' > .local/share/mime/packages/other.xml
        """

    /// Shell lines that prepare the user's home.
    static let homes = [
        "true",
        "mkdir -p .local/share .local/state .config",
        ": > .mailcap && mkdir .config && : > .config/mimeapps.list",
        "printf 'text/html; lynx %%s' > .mailcap && chmod 600 .mailcap",
        "mkdir dotfiles && printf 'a/b; \\\\\\n' > dotfiles/mailcap && ln -s dotfiles/mailcap .mailcap",
        """
        mkdir .config && cd .config && umask 077 &&
        printf '[Default Applications]\\n\\n\\ntext/html=x.desktop\\n\\n[Added Associations]\\nb/c=d;' > mimeapps.list
        """,
        otherEntry + """
             && update-desktop-database .local/share/applications && mkdir .config &&
            printf '[Default Applications]\\napplication/vnd.apple.pkpass = other.desktop;\\n' > .config/mimeapps.list
            """,
        """
        mkdir -p dotfiles .config && printf '[Default Applications]\\n' > dotfiles/mimeapps.list &&
        ln -s ../dotfiles/mimeapps.list .config
        """,
        otherType + " && update-mime-database .local/share/mime",
        "mkdir -p .local/share/mime/packages && update-mime-database .local/share/mime",
        "mkdir -p .local/share/applications && update-desktop-database .local/share/applications",
        "mkdir -p .local/share/icons/hicolor/scalable/apps && : > .local/share/icons/hicolor/x",
    ]

    @Test("byte for byte, even if run twice", arguments: homes)
    func restored(home: String) throws {
        try desktop.addStandIn()
        let prepared = try program.shell(home)
        try #require(prepared.status == 0, "\(prepared.errors)")
        let before = try desktop.tree()
        #expect(try program.run(["setup"]).status == 0)
        let entry = try desktop.defaultEntry()
        #expect(entry == Desktop.entry)
        #expect(try program.run(["setup", "--mailcap"]).status == 0)
        #expect(try program.run(["setup", "--mailcap"]).status == 0)
        #expect(try desktop.tree() != before)
        let result = try program.run(["setup", "--remove"])
        #expect(result.status == 0)
        #expect(result.errors == "")
        #expect(try desktop.tree() == before)
        let again = try program.run(["setup", "--remove"])
        #expect(again.status == 0)
        #expect(again.output == "nothing to undo\n")
        #expect(try desktop.tree() == before)
    }

    @Test("the previous default program opens passes again")
    func earlierDefault() throws {
        try desktop.addStandIn()
        try program.shellDone(Self.otherEntry)
        try program.shellDone("xdg-mime default other.desktop \(Desktop.type) \(Desktop.scheme)")
        let result = try program.run(["setup"])
        #expect(result.output.contains("(until now with other.desktop)"))
        #expect(try desktop.defaultEntry() == Desktop.entry)
        // In the meantime, the user chooses another program for another type.
        try program.shellDone("xdg-mime default other.desktop text/plain")
        #expect(try program.run(["setup", "--remove"]).status == 0)
        #expect(try desktop.defaultEntry() == "other.desktop")
        #expect(try desktop.defaultEntry(for: Desktop.scheme) == "other.desktop")
        #expect(try desktop.defaultEntry(for: "text/plain") == "other.desktop")
        let list = try String(
            contentsOfFile: desktop.home.path(".config/mimeapps.list"), encoding: .utf8)
        #expect(!list.contains(Desktop.entry))
    }

    @Test(
        "a default chosen after setup, and before a second setup, is restored",
        arguments: [
            [Desktop.type, Desktop.type + "es", Desktop.scheme], [Desktop.type, Desktop.scheme],
            [Desktop.type, Desktop.type + "es"], [Desktop.type], [Desktop.scheme],
        ])
    func laterDefault(types: [String]) throws {
        try desktop.addStandIn()
        try program.shellDone(Self.otherEntry)
        #expect(try program.run(["setup"]).status == 0)
        try program.shellDone("xdg-mime default other.desktop \(types.joined(separator: " "))")
        #expect(try program.run(["setup"]).status == 0)
        for type in types { #expect(try desktop.defaultEntry(for: type) == Desktop.entry) }
        #expect(try program.run(["setup", "--remove"]).status == 0)
        for type in types { #expect(try desktop.defaultEntry(for: type) == "other.desktop") }
        let list = try String(
            contentsOfFile: desktop.home.path(".config/mimeapps.list"), encoding: .utf8)
        #expect(!list.contains("passconduit.Open"))
    }

    @Test("files that the user has changed stay and are named")
    func changedSince() throws {
        try desktop.addStandIn()
        try program.shellDone(Self.otherEntry)
        #expect(try program.run(["setup", "--mailcap"]).status == 0)
        try program.shellDone(
            """
            echo X-Mine=true >> .local/share/applications/\(Desktop.entry) &&
            xdg-mime default other.desktop \(Desktop.type) && sed -i 's/ open / show /' .mailcap &&
            echo mine > .local/share/icons/hicolor/scalable/apps/mine.svg
            """)
        let result = try program.run(["setup", "--remove"])
        #expect(result.status == 0)
        let left = result.lines.filter { $0.hasPrefix("kept ") }.joined(separator: "\n")
        #expect(left.split(separator: "\n").count == 3)
        #expect(left.contains("\(Desktop.type) opens with other.desktop  (changed after setup)"))
        #expect(left.contains("applications/\(Desktop.entry)  (changed after setup)"))
        #expect(left.contains(".mailcap  (the lines were changed after setup)"))
        let kept = try program.shell("find . -type f | sort").lines
        #expect(
            kept == [
                "./.config/mimeapps.list", "./.local/share/applications/mimeinfo.cache",
                "./.local/share/applications/\(Desktop.entry)",
                "./.local/share/applications/other.desktop",
                "./.local/share/icons/hicolor/scalable/apps/mine.svg", "./.mailcap",
            ])
    }

    @Test("a file that existed before is kept")
    func foreign() throws {
        try desktop.home.write(
            Data("mine\n".utf8), to: ".local/share/mime/packages/passconduit.xml")
        try desktop.home.write(Data("mine\n".utf8), to: ".local/state/x")
        let before = try desktop.tree()
        let result = try program.run(["setup"])
        #expect(result.status == 2)
        #expect(
            result.errors.contains(
                "passconduit.xml: it was changed after setup, and is kept\n"))
        #expect(result.output.contains("wrote"))
        #expect(try program.run(["setup", "--remove"]).status == 0)
        #expect(try desktop.tree() == before)
    }

    @Test("lines that mail programs added after ours stay")
    func mailcapBehind() throws {
        try desktop.home.write(Data("a/b; c".utf8), to: ".mailcap")
        #expect(try program.run(["setup", "--mailcap"]).status == 0)
        try program.shellDone("echo 'd/e; f' >> .mailcap")
        #expect(try program.run(["setup", "--remove"]).status == 0)
        #expect(try program.shell("cat .mailcap").output == "a/b; c\nd/e; f\n")
    }

    @Test("an unreadable record is reported, and nothing is changed")
    func brokenRecord() throws {
        try desktop.home.write(Data("{".utf8), to: ".local/state/passconduit/setup.json")
        let before = try desktop.tree()
        for arguments in [["setup"], ["setup", "--remove"]] {
            let result = try program.run(arguments)
            #expect(result.status == 2)
            #expect(result.errors.hasSuffix("setup.json: it is not a record of setup\n"))
        }
        #expect(try desktop.tree() == before)
    }
}

extension Program {
    /// Runs a line of the shell that must succeed.
    func shellDone(_ line: String) throws {
        let result = try shell(line)
        try #require(result.status == 0, "\(result.errors)")
    }
}
