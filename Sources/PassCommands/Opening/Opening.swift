internal import Foundation
internal import Localization
internal import PassImport
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

/// Asks about opened passes and adds them.
struct Opening {
    let shell: Shell
    let displayLocale: DisplayLocale
    let place: LibraryArguments

    /// The answer that adds a pass that is not trusted.
    static let phrase = "add anyway"

    /// Shows each pass, asks, and adds it if the user agrees.
    func ask(about passes: [FoundPass], in dialogue: borrowing Dialogue) throws -> ExitCode {
        var code = ExitCode.done
        for (index, found) in passes.enumerated() {
            if index > 0 { dialogue.say("") }
            if passes.count > 1 {
                let title = localized(
                    "Pass {number} of {count}",
                    ["number": "\(index + 1)", "count": "\(passes.count)"])
                dialogue.say([dialogue.terminal.paint(title, .bold)])
            }
            code = code.joined(with: try ask(about: found, in: dialogue))
        }
        return code
    }

    private func ask(
        about found: FoundPass, in dialogue: borrowing Dialogue
    ) throws -> ExitCode {
        let prospect = try place.prospect(of: found, in: shell.session)
        dialogue.say(summary(of: found, prospect, on: dialogue.terminal) + [""])
        guard let pass = found.verification.verified, let prospect else {
            dialogue.say(refusal(of: found.verification.verdict))
            return .notTrusted
        }
        if prospect.admission == .unchanged, let stored = prospect.stored {
            let command: KeyValuePairs = ["command": showCommand(stored)]
            try shell.console.print(localized("already in the library: {command}", command))
            return .done
        }
        guard isWanted(pass, prospect.admission, in: dialogue) else {
            dialogue.say(localized("Not added."))
            return pass.verdict == .trusted ? .done : .notTrusted
        }
        try add(pass, from: found.origin)
        return .done
    }

    private func isWanted(
        _ pass: VerifiedPass, _ admission: Admission, in dialogue: borrowing Dialogue
    ) -> Bool {
        guard pass.verdict == .trusted else {
            dialogue.say(
                pass.verdict == .unsigned
                    ? localized("This pass is not signed: anyone could have made it.")
                    : localized("The signer of this pass is not trusted."))
            let phrase = localized("add anyway")
            let question = localized(
                "Type '{phrase}' to add it, or press Enter to cancel:", ["phrase": phrase])
            let answer = dialogue.ask(question)?.lowercased()
            return answer == Opening.phrase || answer == phrase.lowercased()
        }
        let question =
            switch admission {
            case .updated: localized("Replace the one in the library?")
            case .older: localized("Add it to the history?")
            case .added, .unchanged: localized("Add it to the library?")
            }
        let answers = localized("[y/N]")
        let answer = dialogue.ask("\(question) \(answers)") ?? ""
        return isYes(answer) || answer.lowercased() == "add"
    }

    /// Adds the bytes that were verified; the file may have changed since.
    private func add(_ pass: VerifiedPass, from origin: Origin) throws {
        let library = try place.library(for: .writing, in: shell.session)
        let admissions = try library.add([IncomingPass(pass: pass, origin: origin)])
        let admission = admissions.first ?? .unchanged
        let headline = clipped(displayLocale.headline(pass.pass).escaped, to: 60)
        try shell.console.print("\(inColumn(admission))  \(headline)")
        let identity = pass.pass.identity
        let stored = try library.pass(
            withPassTypeIdentifier: identity.passTypeIdentifier,
            serialNumber: identity.serialNumber)
        if let stored {
            let command: KeyValuePairs = ["command": showCommand(stored)]
            try shell.console.print(localized("to show it: {command}", command))
        }
    }

    /// Shows a pass without asking.
    func summary(
        of found: FoundPass, _ prospect: Prospect?, on terminal: Terminal
    ) -> [String] {
        PassSummary(
            found: found, prospect: prospect,
            changes: place.changes(found, prospect, displayLocale, in: shell.session),
            displayLocale: displayLocale,
            terminal: terminal
        ).lines
    }

    /// Why a pass with this verdict is never added.
    private func refusal(of verdict: Verdict) -> String {
        verdict == .tampered
            ? localized("This pass was changed after it was signed. It cannot be added.")
            : localized("This cannot be read as a pass. It cannot be added.")
    }

    private func showCommand(_ stored: StoredPass) -> String {
        "passconduit show \(stored.id)\(libraryOption)".escaped
    }

    /// The `--library` option for commands shown to the user, if needed.
    var libraryOption: String {
        guard let library = place.library, library != shell.environment.library(nil) else {
            return ""
        }
        return " --library \(quoted(library))"
    }
}

/// Quotes a word for a shell.
func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
        UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || "/._-+:@%=,".utf8.contains(byte)
    }
    if plain, !word.isEmpty, !word.hasPrefix("-") { return word }
    return "'\(word.replacing("'", with: "'\\''"))'"
}
