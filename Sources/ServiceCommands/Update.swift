internal import ArgumentParser
internal import PassPresentation
internal import PassService
internal import PassSession
internal import PassSigning

/// `passconduit-serve update`: changes values of a published pass.
struct Update: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change values of a published pass.",
        discussion: """
            Changes fields of the published version of the pass by their keys, signs it again and \
            publishes it as a new version. If no field has the key, the key of pass.json is changed, \
            such as expirationDate, relevantDate, description or backgroundColor. Numbers and dates \
            stay numbers and dates: dates are of the form 2026-09-21T14:13+02:00. All values of a \
            command become one version. If the pass has these values already, nothing is published.

            Of a pass of a row of data (publish --data), the keys are columns of the template, or \
            `voided`, which is true or false. The new version is signed when a device asks for it.

            Publishing the pass again replaces these values, but a void pass of a row stays void.

            The certificate and key are those of `passconduit certificate` for the pass type.

            EXAMPLES
              passconduit-serve update pass.com.example.ticket E4 --store /srv/passes --set gate=7
              passconduit-serve update pass.com.example.ticket E4 --store /srv/passes \
            --set gate=7 --set relevantDate=2026-09-21T14:13+02:00
              passconduit-serve update pass.com.example.ticket E4 --store /srv/passes \
            --set voided=false
            """)

    @Argument(help: ArgumentHelp("The pass type identifier.", valueName: "type"))
    var type: String

    @Argument(help: ArgumentHelp("The serial number.", valueName: "serial"))
    var serial: String

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Set the value of a key; repeatable.", valueName: "key=value"))
    var settings: [String]

    @OptionGroup var store: StoreArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var language: LanguageArguments

    func validate() throws {
        let edits = try edits()
        var keys: Set<String> = []
        for edit in edits where !keys.insert(edit.key).inserted {
            throw ValidationError("--set has two values for '\(edit.key)'")
        }
    }

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        let edits = try edits()
        let reissue = try await Reissue(type: type, serial: serial, store, trust, in: shell)
        let values = Dictionary(edits.map { ($0.key, $0.value) }) { $1 }
        return try await reissue.run(
            row: { store, pass throws(ServiceError) in
                try await store.update(pass, setting: values)
            },
            files: { folder in
                do throws(PassEditError) {
                    return try folder.setting(edits)
                } catch {
                    throw Failure.unreadable("\(type)/\(serial)", reason: error.phrase)
                }
            })
    }

    private func edits() throws -> [PassEdit] {
        try settings.map { setting in
            let parts = setting.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ValidationError("'\(setting)' is not of the form key=value")
            }
            return PassEdit(String(parts[0]), String(parts[1]))
        }
    }
}
