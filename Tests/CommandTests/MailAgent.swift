import Foundation

/// A mail delivery program that runs with its recipe from desktop/mail.
enum MailAgent: String, CaseIterable {
    case procmail, maildrop, fdm, dovecot, getmail

    var program: String {
        self == .dovecot ? "/usr/lib/dovecot/dovecot-lda" : "/usr/bin/\(rawValue)"
    }

    static let installed = allCases.filter(\.isInstalled)
    static let missing = allCases.filter { !$0.isInstalled }

    /// Whether the program is installed, with the component that runs other programs.
    private var isInstalled: Bool {
        let files = FileManager.default
        return files.isExecutableFile(atPath: program)
            && (self != .dovecot || files.fileExists(atPath: MailAgent.extprograms))
    }

    private static let extprograms =
        "/usr/lib/dovecot/modules/sieve/lib90_sieve_extprograms_plugin.so"

    /// The recipe in desktop/mail.
    private var recipe: String {
        switch self {
        case .procmail: "procmailrc"
        case .maildrop: "mailfilter"
        case .fdm: "fdm.conf"
        case .dovecot: "passconduit.sieve"
        case .getmail: "getmailrc"
        }
    }

    /// Writes the recipe, and the user's other settings, into a home.
    func prepare(_ home: MailHome, inOtherForm: Bool = false) throws {
        try home.write(home.recipe(recipe, inOtherForm: inOtherForm), to: recipe)
        let folder = home.path
        switch self {
        case .procmail: break
        case .maildrop:
            try home.write(
                """
                HOME="\(folder)"
                SHELL="/bin/sh"
                PATH="\(home.searchPath)"
                DEFAULT="\(folder)/Maildir"
                include "\(folder)/\(recipe)"

                """, to: "settings")
        case .fdm:
            try home.write(
                """
                set no-received
                set lock-file "\(folder)/lock"
                account "stdin" stdin
                action "inbox" maildir "\(folder)/Maildir"
                include "\(folder)/\(recipe)"
                match all action "inbox"

                """, to: "settings")
        case .dovecot:
            // The setup of the comment in dovecot.conf, with other paths.
            try home.run("mkdir bin run; ln -s \"$(command -v passconduit-deliver)\" bin/")
            try home.write(home.recipe("dovecot.conf"), to: "dovecot.conf")
            try home.write(
                """
                !include \(folder)/dovecot.conf
                base_dir = \(folder)/run
                state_dir = \(folder)/run
                log_path = \(folder)/log
                ssl = no
                mail_location = maildir:~/Maildir
                protocol lda {
                  mail_plugins = $mail_plugins sieve
                }
                plugin {
                  sieve = file:~/sieve;active=~/\(recipe)
                  sieve_pipe_bin_dir = \(folder)/bin
                  sieve_filter_bin_dir = \(folder)/bin
                }

                """, to: "settings")
        case .getmail:
            try home.write(
                home.recipe(recipe, inOtherForm: inOtherForm) + """

                    [retriever]
                    type = SimplePOP3Retriever
                    server = 127.0.0.1
                    port = PORT
                    username = ada
                    password = secret

                    [options]
                    delete = true
                    delivered_to = false
                    received = false

                    """, to: "settings")
        }
    }

    /// Delivers a message as a mail system would, or from a server if the program fetches mail.
    func deliver(_ mail: Data, in home: MailHome) throws -> Program.Result {
        switch self {
        case .procmail:
            try home.run(
                """
                procmail PATH="$PATH" SHELL=/bin/sh HOME="$HOME" MAILDIR="$HOME" ORGMAIL="$HOME/lost" \
                DEFAULT="$HOME/Maildir/" LOGFILE="$HOME/log" "$HOME/procmailrc"
                """, input: mail)
        case .maildrop: try home.run("maildrop \"$HOME/settings\"", input: mail)
        case .fdm: try home.run("fdm -f settings -a stdin fetch", input: mail)
        case .dovecot: try home.run("\(program) -c \"$HOME/settings\"", input: mail)
        case .getmail:
            try home.run("exec python3 -c '\(MailAgent.server)'", input: mail)
        }
    }

    /// Runs getmail for a message on a server that stops together with getmail. The exit code is 1
    /// if the message is still on the server.
    private static let server = #"""
        import os, re, shutil, socketserver, subprocess, sys, threading
        message = sys.stdin.buffer.read().replace(b"\n", b"\r\n")
        kept, identifier = [message], os.urandom(8).hex().encode()
        stuffed = re.sub(rb"(?m)^\.", b"..", message)

        class Session(socketserver.StreamRequestHandler):
            timeout = 60
            def handle(self):
                deleted = False
                self.say(b"+OK")
                for line in self.rfile:
                    word = line.split()[0].upper()
                    answers = {b"STAT": b"+OK 1 %d" % len(message),
                        b"LIST": b"+OK\r\n1 %d\r\n." % len(message), b"UIDL": b"+OK\r\n1 %s\r\n." % identifier,
                        b"RETR": b"+OK\r\n" + stuffed + b"."}
                    known = (b"USER", b"PASS", b"DELE", b"QUIT")
                    self.say(answers.get(word, b"+OK" if word in known else b"-ERR"))
                    deleted = deleted or word == b"DELE"
                    if word == b"QUIT":
                        if deleted: kept.clear()
                        return

            def say(self, line):
                self.wfile.write(line + b"\r\n")

        with socketserver.TCPServer(("127.0.0.1", 0), Session) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            settings = open("settings").read().replace("PORT", str(server.server_address[1]))
            open("getmailrc", "w").write(settings)
            # getmail 6.18 installs its handler of SIGCHLD after it started the child, so it waits
            # a minute for a child that exits before. Here it waits for the child itself.
            patient = "\n".join((
                "import os, runpy, sys",
                "from getmailcore.baseclasses import ForkingBase",
                "ForkingBase._prepare_child = lambda self: None",
                "ForkingBase._wait_for_child = lambda self, child:"
                    " os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])",
                "runpy.run_path(sys.argv.pop(1), run_name=\"__main__\")"))
            getmail = ["/usr/bin/python3", "-c", patient, shutil.which("getmail"), "--getmaildir=.",
                "--rcfile=getmailrc"]
            status = subprocess.run(getmail, timeout=60).returncode
            sys.exit(status or len(kept))
        """#
}
