internal import ArgumentParser
internal import Localization
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

/// `passconduit trust`: manages the certificates trusted in addition to Apple's.
struct Trust: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Manage the authorities that you trust besides Apple.",
        discussion: """
            Passes signed under one of these authorities are verified like those signed under \
            Apple's: the signer's certificate must still name the pass type and the team. The \
            certificates are stored in $XDG_CONFIG_HOME/passconduit/trust \
            (~/.config/passconduit/trust). A pass that Apple vouches for is never replaced by one \
            that only your own authorities vouch for.

            EXAMPLES
              passconduit trust add my-ca.pem
              passconduit trust add my-ca.pem --for 'pass.com.example.*'
              passconduit trust list
              passconduit trust remove 0a1b2c3d4e5f6071.pem
            """,
        subcommands: [List.self, Add.self, Remove.self])

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the authorities that you trust.",
            discussion: """
                EXAMPLES
                  passconduit trust list
                  passconduit trust list --json
                """)

        @OptionGroup var output: OutputArguments

        func run(in shell: Shell) async throws -> ExitCode {
            let contents = try shell.session.trustFolder.contents()
            if contents.kept.isEmpty, contents.unusable.isEmpty {
                shell.hint(
                    localized(
                        "you trust only Apple (`passconduit trust add FILE` adds an authority)"),
                    json: output.json)
            }
            for kept in contents.kept {
                try shell.console.print(
                    output.json
                        ? jsonLine(AuthorityRecord(kept), on: shell.console.output)
                        : authorityLine(kept))
            }
            for unusable in contents.unusable {
                let path = "\(shell.environment.trustFolder)/\(unusable.file)"
                shell.console.problem("\(path): \(unusable.phrase.localized)".escaped)
            }
            return contents.unusable.isEmpty ? .done : .unreadable
        }
    }

    struct Add: Verb {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an authority.",
            discussion: """
                With --for, the authority is trusted only for some pass types. A pattern is a \
                pass type identifier such as pass.com.example.ticket, or the beginning of one \
                followed by *. Case matters. Adding an authority again replaces its pass types; \
                without --for, it is then trusted for all.

                EXAMPLES
                  passconduit trust add my-ca.pem
                  passconduit trust add my-ca.pem --for pass.com.example.ticket
                  passconduit trust add my-ca.pem --for 'pass.com.example.*'
                """)

        @Argument(
            help: ArgumentHelp("Certificates (PEM or DER).", valueName: "file"),
            completion: .file(extensions: ["pem", "cer", "crt", "der"]))
        var files: [String]

        @Option(
            name: .customLong("for"),
            help: ArgumentHelp(
                "Trust it only for pass types that match this pattern (pass.com.example.*); "
                    + "repeatable.",
                valueName: "pattern"),
            transform: pattern)
        var passTypes: [PassTypePattern] = []

        @OptionGroup var place: LibraryArguments

        func validate() throws {
            if files.contains("") { throw ValidationError("the path is empty") }
        }

        func run(in shell: Shell) async throws -> ExitCode {
            try place.recordingAnchors(in: shell) {
                for file in files {
                    let certificates = try shell.session.contents(of: file)
                    for kept in try added(certificates, from: file, in: shell) {
                        try shell.console.print(authorityLine(kept))
                    }
                }
            }
            return .done
        }

        private func added(
            _ certificates: [UInt8], from file: String, in shell: Shell
        ) throws(Failure) -> [TrustFolder.Kept] {
            do throws(TrustFolderError) {
                let patterns = passTypes.isEmpty ? nil : passTypes
                return try shell.session.trustFolder.add(certificates, for: patterns)
            } catch {
                switch error {
                case .folder:
                    throw .unwritable(shell.environment.trustFolder, reason: error.phrase)
                case .shared: throw .usage(error.phrase)
                default: throw .unreadable(file, reason: error.phrase)
                }
            }
        }
    }

    struct Remove: Verb {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove an authority.",
            discussion: """
                Passes in the library that only this authority vouched for stay there, and are \
                marked as no longer vouched for until you add it again.

                EXAMPLES
                  passconduit trust remove 0a1b2c3d4e5f6071.pem
                """)

        @Argument(
            help: ArgumentHelp(
                "Names as `trust list` prints them, or beginnings of fingerprints.",
                valueName: "name"))
        var names: [String]

        @OptionGroup var place: LibraryArguments

        func run(in shell: Shell) async throws -> ExitCode {
            try place.recordingAnchors(in: shell) {
                for name in names {
                    for kept in try removed(name, in: shell) {
                        let line = authorityLine(kept)
                        let removed = localized("removed")
                        try shell.console.print("\(removed)  \(line)")
                    }
                }
            }
            return .done
        }

        private func removed(_ name: String, in shell: Shell) throws(Failure) -> [TrustFolder.Kept]
        {
            do throws(TrustFolderError) {
                return try shell.session.trustFolder.remove(name)
            } catch {
                switch error {
                case .folder:
                    throw .unwritable(shell.environment.trustFolder, reason: error.phrase)
                case .unknown: throw .notFound(error.phrase)
                default: throw .usage(error.phrase)
                }
            }
        }
    }
}

extension LibraryArguments {
    /// Changes the trust folder, then records which anchors vouch for the passes of the library, and
    /// reports how many have lost theirs; also if only a part of the change succeeds.
    fileprivate func recordingAnchors(in shell: Shell, _ change: () throws -> Void) throws {
        let before = try anchors(in: shell)
        let outcome = Result(catching: change)
        try recordAnchors(after: before, in: shell)
        try outcome.get()
    }

    private func recordAnchors(after before: TrustAnchors, in shell: Shell) throws {
        let now = try anchors(in: shell)
        guard now != before else { return }
        do {
            let lost = try alone(in: shell.session) { folder, _ in
                let library = try PassLibrary(at: folder, for: .changing)
                // Passes of unknown authorities may be those of one that was just removed.
                let lostBefore = try library.recordAnchors(by: PassVerifier(anchors: before))
                return try library.recordAnchors(by: PassVerifier(anchors: now)) - lostBefore
            }
            guard lost > 0 else { return }
            shell.console.problem(
                counted(
                    "{count} pass in the library is no longer vouched for",
                    "{count} passes in the library are no longer vouched for", lost))
        } catch LibraryError.noSuchLibrary {
        } catch let error as LibraryError {
            // The trust folder was changed nevertheless.
            shell.console.problem(error.phrase.localized.escaped)
        }
    }
}

/// Apple's anchors and those of the trust folder.
private func anchors(in shell: Shell) throws(Failure) -> TrustAnchors {
    do throws(TrustFolderError) {
        return try shell.session.trustFolder.anchors()
    } catch {
        throw .unreadable(shell.environment.trustFolder, reason: error.phrase)
    }
}

private func pattern(_ text: String) throws -> PassTypePattern {
    do throws(PassTypePatternError) {
        return try PassTypePattern(text)
    } catch {
        throw ValidationError(error.phrase.localized)
    }
}

/// A line such as `0a1b2c3d4e5f6071.pem  Example Authority  until Jan 1, 2045  SHA-256 0a1b...`.
private func authorityLine(_ kept: TrustFolder.Kept) -> String {
    let anchor = kept.anchor
    let until = Phrase("until {date}", ["date": .day(anchor.notAfter)]).localized
    let types = anchor.passTypes.map {
        "  " + localized("only for {text}", ["text": $0.map(\.description).joined(separator: ", ")])
    }
    let line = "\(kept.file)  \(anchor.name)  \(until)  SHA-256 \(anchor.fingerprint)"
    return (line + (types ?? "")).escaped
}
