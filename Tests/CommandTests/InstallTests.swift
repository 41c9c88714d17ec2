import Foundation
import Testing

@Suite("make install installs every file, and make uninstall removes it")
final class InstallTests {
    private let home: Home
    private let program: Program

    init() throws {
        home = try Home()
        program = Program(home: home)
        try home.write(Data("another's".utf8), to: "root/usr/share/man/man1/passconduit-other.1")
        try make("install")
    }

    deinit { home.remove() }

    private func make(_ target: String) throws {
        let result = try program.shell(
            """
            umask 077
            make -s -C '\(Program.package.path)' \(target) DESTDIR="$PWD/root" PREFIX=/usr \
                PROGRAM='\(program.path)' DELIVER='\(program.path)-deliver' \
                FETCH='\(program.path)-fetch' RENDER='\(program.path)-render' \
                VIEWER='\(program.path)-viewer' SERVE='\(program.path)-serve'
            """)
        #expect(result.status == 0)
        #expect(result.errors == "")
    }

    @Test("the installed programs run")
    func programs() throws {
        let version = try program.run(["--version"]).output
        let programs = try program.shell("cd root/usr/bin && ls && ./passconduit --version")
        #expect(
            programs.lines == [
                "passconduit", "passconduit-deliver", "passconduit-serve", "passconduit-viewer",
                version.trimmingCharacters(in: .newlines),
            ])
    }

    @Test("passconduit runs the fetch program that was installed with it, and no other")
    func fetching() throws {
        // The refusal of a request without --allow-private comes from the fetch program itself.
        let fetch = "root/usr/bin/passconduit scan https://127.0.0.1:9/a.pkpass"
        let installed = try program.shell(fetch)
        #expect(installed.status == 2)
        #expect(installed.errors.contains("127.0.0.1 is a loopback address"))

        try FileManager.default.removeItem(
            atPath: home.path("root/usr/libexec/passconduit/passconduit-fetch"))
        let other = "#!/bin/sh\ntouch '\(home.path("was-run"))'\n"
        try home.write(Data(other.utf8), to: "elsewhere/passconduit-fetch")
        let elsewhere = try program.shell(
            "chmod +x elsewhere/passconduit-fetch && PATH=\"$PWD/elsewhere:$PATH\" && \(fetch)")
        #expect(elsewhere.status == 2)
        #expect(
            elsewhere.errors
                == "passconduit: passconduit-fetch: not installed\n"
        )
        #expect(!FileManager.default.fileExists(atPath: home.path("was-run")))
    }

    @Test(
        "every file in desktop is installed, except packaging, catalogues and screenshots"
    )
    func files() throws {
        let desktop = Program.package.appendingPathComponent("desktop").path
        let missing = try program.shell(
            """
            find root -type f -exec sha256sum {} + | cut -c1-64 | sort -u > installed
            find '\(desktop)' -type f ! -path '*/desktop/debian/*' \\
                ! -path '*/desktop/po/*' ! -path '*/desktop/screenshots/*' -exec sha256sum {} + | sort |
                join -v 1 - installed
            """)
        #expect(missing.output == "")
        #expect(missing.errors == "")
    }

    @Test(
        "man finds the pages",
        arguments: [
            "passconduit", "passconduit-scan", "passconduit-records", "passconduit-serve",
            "passconduit-hosting",
        ])
    func pages(name: String) throws {
        let man = try program.shell("man -M \"$PWD/root/usr/share/man\" -w \(name)")
        #expect(man.output.contains("/root/usr/share/man/man"))
    }

    @Test("all users can read the installed files")
    func permissions() throws {
        let closed = try program.shell(
            "find root/usr -type f ! -perm -a=r; find root/usr -type d ! -perm -a=rx")
        #expect(closed.output == "")
    }

    @Test("only installed files are removed")
    func uninstall() throws {
        try make("uninstall")
        let files = try program.shell(
            "find root ! -type d; find root -type d -name '*passconduit*'")
        #expect(files.lines == ["root/usr/share/man/man1/passconduit-other.1"])
    }
}
