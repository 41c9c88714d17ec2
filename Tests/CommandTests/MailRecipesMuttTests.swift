import Foundation
import Testing

@Suite(
    "With the recipe in desktop/mail, mutt and neomutt show passes and import them",
    .enabled(if: MailHome.isPossible, "nobody cannot run the programs in the build folder"))
struct MailRecipesMuttTests {
    private static let installed = ["mutt", "neomutt"].filter {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    @Test("with both programs", .enabled(if: installed.count == 2, "not all of them are installed"))
    func both() {
        #expect(MailRecipesMuttTests.installed == ["mutt", "neomutt"])
    }

    /// Runs a program on a terminal with the recipe and the mailcap of desktop/mail. The mailbox
    /// has two messages with a pass each, the last one trusted. The last of the typed keys ends the
    /// program.
    private func run(
        _ program: String, typing keys: String
    ) throws -> (home: MailHome, status: Int32, shown: String) {
        let home = try MailHome()
        for name in ["tampered", "trusted"] {
            let mail = try home.mail(name, attaching: "\(name).pkpass")
            try home.write(mail, to: "Maildir/new/\(name).host")
        }
        try home.write(home.recipe("muttrc"), to: "muttrc")
        try home.write(home.recipe("../mailcap"), to: ".mailcap")
        try home.write("application/vnd.apple.pkpass pkpass\n", to: ".mime.types")
        // This pager writes its input into a file, so the test need not press a key.
        try home.write("cat \"$@\" >> shown", to: "pager")
        try home.write(
            """
            set mbox_type=Maildir folder=~/Maildir sort=subject
            set wait_key=no prompt_after=no pager="sh pager"
            source muttrc
            push "\(keys)"

            """, to: "settings")
        let result = try home.run(
            "timeout 60 script -qec '\(program) -n -F settings -f Maildir' /dev/null; s=$?; "
                + "cat shown; exit $s")
        return (home, result.status, result.output)
    }

    @Test(
        "imports the passes of a message, of one attachment, and of tagged messages one by one",
        arguments: installed,
        [
            ("<last-entry>,p<exit>", "standard input, message trusted@example.org, part 2\n"),
            ("<last-entry>v<last-entry>,p<exit><exit>", "standard input\n"),
            (
                "<tag-pattern>.<enter>;,p<exit>",
                "standard input, message trusted@example.org, part 2\n"
            ),
        ])
    func keep(program: String, action: (keys: String, source: String)) throws {
        let (home, status, shown) = try run(program, typing: action.keys)
        #expect(status == 0)
        #expect(shown.contains("added pass.example.test/0001 trusted"))
        #expect(try home.stored() == ["pass.example.test/0001"])
        #expect(try home.run("passconduit show 1").output.contains("From       \(action.source)"))
    }

    @Test(
        "a pass's contents are shown in its message and when its attachment is opened",
        arguments: installed,
        ["<last-entry><display-message><exit>", "<last-entry>v<last-entry><enter><exit><exit>"])
    func show(program: String, keys: String) throws {
        let (home, status, shown) = try run(program, typing: keys)
        #expect(status == 0)
        #expect(shown.contains("Example Air, LIS -> OPO  pass.example.test/0001\n"))
        #expect(shown.contains("verdict    trusted"))
        #expect(try home.stored() == [])
    }
}
