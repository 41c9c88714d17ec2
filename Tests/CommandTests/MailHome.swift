import Foundation
import PassFixtures

/// A home with a Maildir that trusts the test authority. If root runs the tests, mail programs run
/// in it as nobody, so that none of them uses root's home or mail.
final class MailHome {
    private static let nobody = 65534

    /// Foundation blocks signals in its child processes, in which case getmail would wait for its
    /// own children forever.
    private static let asNobody = """
        import os, signal, sys
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(\(nobody))
            os.setuid(\(nobody))
        os.execvp("sh", ["sh", "-c", sys.argv[1]])
        """

    /// Whether the programs under test can be run as this user.
    static let isPossible: Bool = {
        guard let home = try? MailHome() else { return false }
        return (try? home.run("passconduit --version").status) == 0
    }()

    /// A home whose search path does not contain passconduit.
    static func withoutPassconduit() throws -> MailHome {
        let home = try MailHome()
        home.searchPath = Program.searchPath
        return home
    }

    let home: Home
    let passes: TestPasses
    private(set) var searchPath = "\(Program.folder.path):\(Program.searchPath)"

    init() throws {
        home = try Home(named: "mail")
        passes = try TestPasses.make()
        if getuid() == 0 {
            try FileManager.default.setAttributes(
                [.ownerAccountID: MailHome.nobody, .groupOwnerAccountID: MailHome.nobody],
                ofItemAtPath: home.folder.path)
        }
        _ = try run("umask 077; mkdir -p Maildir/new Maildir/cur Maildir/tmp")
        try write(passes.data("authority.pem"), to: "authority.pem")
        _ = try run("passconduit trust add authority.pem")
    }

    deinit { home.remove() }

    var path: String { home.folder.path }

    /// Runs a line of `sh` that finds passconduit in the search path, and waits until it exits.
    @discardableResult
    func run(_ line: String, input: Data = Data()) throws -> Program.Result {
        let program = Program(
            home: home,
            environment: [
                "PATH": searchPath, "USER": "nobody", "LOGNAME": "nobody", "TERM": "xterm",
                "NOTMUCH_CONFIG": home.path("settings"),
            ])
        return try program.execute(
            "/usr/bin/env", ["python3", "-c", MailHome.asNobody, line], input: input)
    }

    /// Writes a file that no other user may read, as mail programs require for their settings.
    func write(_ data: Data, to name: String) throws {
        try run("umask 077; mkdir -p \"$(dirname '\(name)')\"; cat > '\(name)'", input: data)
    }

    func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    /// A file of desktop/mail. A recipe may contain an alternative form in comments: lines without
    /// a single space after the `#`. Prose has one.
    func recipe(_ name: String, inOtherForm: Bool = false) throws -> String {
        let file = Program.package.appendingPathComponent("desktop/mail/\(name)")
        let text = try String(contentsOf: file, encoding: .utf8)
        guard inOtherForm else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { $0.hasPrefix("#") && (!$0.hasPrefix("# ") || $0.hasPrefix("#  ")) }
            .map { $0.dropFirst() }.joined(separator: "\n") + "\n"
    }

    /// A message with lines that mailboxes quote and that mail programs tend to change. Only its
    /// file name identifies the attachment as a pass.
    func mail(_ subject: String, attaching attachment: String? = nil) throws -> Data {
        let head =
            "Return-Path: <ada@example.org>\nMessage-ID: <\(subject)@example.org>\n"
            + "From: Ada <ada@example.org>\nSubject: \(subject)\nMIME-Version: 1.0\n"
        let text = "Grüße, \n\nFrom me\n.\n>From you\n"
        guard let attachment else { return Data("\(head)\n\(text)".utf8) }
        let octets = try passes.data(attachment).base64EncodedString(
            options: [.lineLength76Characters, .endLineWithLineFeed])
        return Data(
            """
            \(head)Content-Type: multipart/mixed; boundary=b

            --b

            \(text)
            --b
            Content-Type: application/octet-stream; name=ticket.pkpass
            Content-Disposition: attachment; filename=ticket.pkpass
            Content-Transfer-Encoding: base64

            \(octets)
            --b--

            """.utf8)
    }

    /// The contents of the messages in a folder.
    func delivered(in folder: String = "Maildir/new") throws -> [Data] {
        let folder = home.folder.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        )
        .map { try Data(contentsOf: $0) }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The passes in the library.
    func stored() throws -> [String] {
        try run("passconduit list --json").records.compactMap { $0["name"] as? String }
    }

    /// Puts a file where passconduit needs a folder, so that not even root can write there.
    func block(_ folder: String) throws {
        try write("", to: "\(folder)/passconduit")
    }

    func unblock(_ folder: String) throws {
        try run("rm '\(folder)/passconduit'")
    }
}
