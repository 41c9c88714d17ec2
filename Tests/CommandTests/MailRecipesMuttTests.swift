import Foundation
import Testing

@Suite(
    "With the recipe of desktop/mail, mutt and neomutt show passes and keep them",
    .enabled(if: MailHome.isPossible, "nobody cannot run the programs in the build folder"))
struct MailRecipesMuttTests {
    /// Runs a program on a terminal with the recipe and the mailcap of desktop/mail, in a mailbox of two
    /// messages: one that is plain, and the last with a pass. It comes to its end by what is typed.
    private func run(
        _ program: String, typing keys: String
    ) throws -> (home: MailHome, status: Int32, shown: String) {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)") else {
            try Test.cancel("\(program) is not installed")
        }
        let home = try MailHome()
        try home.write(home.mail("plain"), to: "Maildir/new/1.plain.host")
        let mail = try home.mail("trusted", attaching: "trusted.pkpass")
        try home.write(mail, to: "Maildir/new/2.trusted.host")
        try home.write(home.recipe("muttrc"), to: "muttrc")
        try home.write(home.recipe("../mailcap"), to: ".mailcap")
        try home.write("application/vnd.apple.pkpass pkpass\n", to: ".mime.types")
        // The pager writes what it is given into a file, and no key has to be pressed.
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
        "the passes of a message, of one attachment, of tagged messages",
        arguments: ["mutt", "neomutt"],
        [
            "<last-entry>,p<exit>", "<last-entry>v<last-entry>,p<exit><exit>",
            "<tag-pattern>.<enter>;,p<exit>",
        ])
    func keep(program: String, keys: String) throws {
        let (home, status, shown) = try run(program, typing: keys)
        #expect(status == 0)
        #expect(shown.contains("added pass.example.test/0001 trusted"))
        #expect(try home.stored() == ["pass.example.test/0001"])
    }

    @Test(
        "what a pass says is shown in its message, and where its attachment is opened",
        arguments: ["mutt", "neomutt"],
        ["<last-entry><display-message><exit>", "<last-entry>v<last-entry><enter><exit><exit>"])
    func show(program: String, keys: String) throws {
        let (home, status, shown) = try run(program, typing: keys)
        #expect(status == 0)
        #expect(shown.contains("Example Air, LIS -> OPO  pass.example.test/0001\n"))
        #expect(shown.contains("verdict    trusted"))
        #expect(try home.stored() == [])
    }
}
