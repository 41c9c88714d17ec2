internal import ArgumentParser
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

/// `passconduit library`: checks and repairs the library.
struct Library: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Check and repair the library.",
        subcommands: [Check.self])

    struct Check: Verb {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Compare the files of the library with its index, and repair differences.",
            discussion: """
                Finds files that are missing, that nothing refers to, or whose content changed, \
                for example after a crash. The exit code is 2 if something is wrong and was not \
                repaired. What a killed import left behind is reported, and is no reason for that \
                code: the next import removes it once it is a day old.

                Without --library, it also says how many messages wait in the spool of \
                `passconduit-deliver --spool`, and how many were given up. The latter count until \
                you remove their files.

                EXAMPLES
                  passconduit library check
                  passconduit library check --mend
                """)

        @Flag(help: "Repair what can be repaired.")
        var mend = false

        @OptionGroup var place: LibraryArguments
        @OptionGroup var output: OutputArguments

        func run(in shell: Shell) async throws -> ExitCode {
            let console = shell.console
            let mail = place.mailWaiting(in: shell.session)
            let check: LibraryCheck
            do {
                check = try self.check(in: shell.session)
            } catch {
                // Mail waits for a library that cannot be opened.
                for line in mail.map(spoolLines) ?? [] { console.note(line) }
                throw error
            }
            for finding in check.findings {
                try console.print(
                    output.json
                        ? jsonLine(LibraryFindingRecord(finding), on: console.output)
                        : line(finding, console.output))
            }
            if output.json {
                try console.print(jsonLine(LibraryCheckRecord(check, mail), on: console.output))
            } else {
                let passes = counted("{count} pass", "{count} passes", check.passes)
                let versions = counted("{count} version", "{count} versions", check.versions)
                let problems = counted(
                    "{count} problem", "{count} problems", check.findings.count)
                try console.print("\(passes), \(versions), \(problems)")
                for line in mail.map(spoolLines) ?? [] { try console.print(line) }
            }
            let isSound = check.findings.allSatisfy { finding in
                // The next import removes these once they are old.
                finding.isMended || finding.kind == .interruptedImport
            }
            return isSound ? .done : .unreadable
        }

        private func check(in session: Session) throws -> LibraryCheck {
            let verifier = PassVerifier(anchors: try session.keptAnchors())
            return try place.alone(in: session, mending: mend) { folder, copies in
                try PassLibrary.check(at: folder, mend: mend, temporaryFolder: copies) { octets in
                    verifier.verify(Array(octets)).verified
                }
            }
        }

        private func line(_ finding: LibraryFinding, _ terminal: Terminal) -> String {
            let (mended, found) = (localized("mended"), localized("found"))
            let outcome =
                finding.isMended ? terminal.paint(mended, .green) : terminal.paint(found, .red)
            let identity = finding.identity.map { " (\($0))" } ?? ""
            let words = "\(finding.path)\(identity): \(finding.phrase.localized)".escaped
            return
                "\(padded(outcome, to: max(columns(mended), columns(found))))  \(finding.code.rawValue)  \(words)"
        }
    }
}
