import Foundation
import Loopback
import PassFixtures
import Testing

/// A home with an issuer of passes. Its programs may fetch from the test servers and trust their
/// certificates.
struct FetchingHome {
    let home: Home
    var program: Program

    /// All tests share one issuer, since its keys are as good as any.
    static let issuer = Result { try PassMaker() }

    init(environment: [String: String] = [:]) throws {
        home = try Home(named: "fetching")
        let authority = try ServerAuthority.path
        program = Program(home: home)
        program.environment = ["SSL_CERT_FILE": authority].merging(environment) { $1 }
    }

    func remove() { home.remove() }

    /// Options that allow fetching from loopback, even without TLS, and name the trusted authority.
    static var options: [String] {
        get throws { ["--allow-private", "--allow-http"] + (try trust) }
    }

    static var trust: [String] {
        get throws { ["--trust-root", try issuer.get().authority] }
    }

    /// Signed passes with these serial numbers.
    static func pass(_ serial: String, _ change: (inout PassRecipe) -> Void = { _ in }) throws
        -> Data
    {
        var recipe = PassRecipe(serial)
        change(&recipe)
        return try issuer.get().make(recipe)
    }

    /// Runs `import --json` with these arguments and the options above.
    func imports(_ words: String...) throws -> Program.Result {
        try program.run(["import", "--json"] + words + (try Self.options))
    }

    /// The serial numbers of the passes in the library.
    var serials: [String] {
        get throws {
            try program.run(["list", "--json"]).records.compactMap { record in
                (record["pass"] as? [String: Any])?["serialNumber"] as? String
            }.sorted()
        }
    }

    /// Builds a file from others in Python. The arguments of the script are the name and `files`.
    func make(_ name: String, _ script: String, _ files: [Data]) throws -> Data {
        var words = ["python3", "-c", script, home.path(name)]
        for (number, file) in files.enumerated() {
            words.append(try home.write(file, to: "made-of-\(number)").path)
        }
        let made = try Program("/usr/bin/env", home: home).run(words)
        try #require(made.status == 0, "\(made.errors)")
        return try Data(contentsOf: home.folder.appendingPathComponent(name))
    }

    func archive(_ name: String, _ files: [Data]) throws -> Data {
        try make(
            name,
            """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w") as archive:
                for number, path in enumerate(sys.argv[2:]):
                    archive.write(path, "%d.pkpass" % number)
            """, files)
    }

    /// An mbox with a mail for each pass.
    func mailbox(_ name: String, _ files: [Data]) throws -> Data {
        try make(
            name,
            """
            import mailbox, sys
            from email.message import EmailMessage
            box = mailbox.mbox(sys.argv[1])
            for number, path in enumerate(sys.argv[2:]):
                mail = EmailMessage()
                mail["From"] = "ada@example.org"
                mail["Message-ID"] = "<%d@example.org>" % number
                mail.set_content("Here it is.")
                mail.add_attachment(open(path, "rb").read(), maintype="application",
                    subtype="vnd.apple.pkpass", filename="ticket.pkpass")
                box.add(mail)
            box.flush()
            """, files)
    }
}

extension Program.Result {
    /// The record of the only pass.
    var pass: [String: Any]? { passes.count == 1 ? passes.first : nil }

    var passes: [[String: Any]] { records.filter { $0["record"] as? String == "pass" } }

    /// The codes and texts of the problems.
    var problems: [(code: String, detail: String)] {
        records.filter { $0["record"] as? String == "problem" }.map {
            ($0["code"] as? String ?? "", $0["detail"] as? String ?? "")
        }
    }
}
