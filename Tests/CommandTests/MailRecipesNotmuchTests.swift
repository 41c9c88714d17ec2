import Foundation
import Testing

@Suite(
    "With the recipe in desktop/mail, `notmuch new` imports the passes in new mail",
    .enabled(if: MailHome.isPossible, "nobody cannot run the programs in the build folder"),
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/notmuch"),
        "notmuch is not installed"))
struct MailRecipesNotmuchTests {
    private let home: MailHome

    init() throws {
        home = try MailHome()
        try home.write(home.recipe("notmuch-post-new"), to: "hooks/post-new")
        try home.run("chmod +x hooks/post-new")
        try home.write(
            """
            [database]
            path=\(home.path)/Maildir
            hook_dir=\(home.path)/hooks
            [user]
            name=Ada
            primary_email=ada@example.org
            [new]
            tags=unread;inbox;passes

            """, to: "settings")
        for name in ["trusted", "tampered"] {
            let mail = try home.mail(name, attaching: "\(name).pkpass")
            try home.write(mail, to: "Maildir/new/\(name).host")
        }
    }

    /// Runs `notmuch new`, and returns its output and the number of unread messages.
    private func readNew() throws -> (result: Program.Result, waiting: String) {
        let result = try home.run("notmuch new")
        #expect(result.status == 0)
        return (result, try home.run("notmuch count tag:passes").lines.joined())
    }

    @Test("each message is read once")
    func once() throws {
        let first = try readNew()
        #expect(first.result.output.contains("added      trusted"))
        #expect(first.waiting == "0")
        #expect(try home.stored() == ["pass.example.test/0001"])
        // Reading the message again would bring back the removed pass.
        try home.run("passconduit remove pass.example.test/0001")
        try home.write(home.mail("plain"), to: "Maildir/new/plain.host")
        #expect(try readNew().waiting == "0")
        #expect(try home.stored() == [])
        #expect(try home.run("notmuch count tag:inbox and tag:unread").lines == ["3"])
    }

    @Test("each message is read again while the library cannot be written")
    func again() throws {
        try home.block(".local/share")
        let first = try readNew()
        #expect(first.result.errors.contains("passconduit: cannot write "))
        #expect(first.waiting == "2")
        try home.unblock(".local/share")
        #expect(try readNew().waiting == "0")
        #expect(try home.stored() == ["pass.example.test/0001"])
    }

    @Test("a message that was deleted in the meantime does not stop the others")
    func gone() throws {
        try home.block(".local/share")
        _ = try readNew()
        try home.unblock(".local/share")
        try home.run("rm Maildir/new/tampered.host")
        // Without `notmuch new`, which would notice the deletion.
        #expect(try home.run("hooks/post-new").status == 0)
        #expect(try home.run("notmuch count tag:passes").lines == ["0"])
        #expect(try home.stored() == ["pass.example.test/0001"])
    }
}
