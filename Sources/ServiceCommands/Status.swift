internal import ArgumentParser
internal import Localization
internal import PassPresentation
internal import PassService
internal import PassSession

/// `passconduit-serve status`: the size of the store.
struct Status: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Count passes, devices, registrations, pushes, fetches and log lines.",
        discussion: """
            Registrations are removed when Apple's push service does not know their token any more. \
            These, pushes and fetches are counted since the store was created. Fetches are stored every few \
            seconds while the service runs.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var language: LanguageArguments

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        let status = try await store.open(creating: false).status()
        let counts = [
            counted("{count} pass", "{count} passes", status.passes),
            counted("{count} device", "{count} devices", status.devices),
            counted("{count} registration", "{count} registrations", status.registrations),
            counted("{count} pending push", "{count} pending pushes", status.pendingPushes),
            counted("{count} delivered push", "{count} delivered pushes", status.deliveredPushes),
            counted("{count} refused push", "{count} refused pushes", status.refusedPushes),
            counted(
                "{count} removed registration", "{count} removed registrations",
                status.removedRegistrations),
            counted("{count} fetch", "{count} fetches", status.fetches),
            counted("{count} log line", "{count} log lines", status.logLines),
        ]
        try shell.print(
            StatusRecord(status), asJSON: store.json, counts.joined(separator: "\n"))
        return .done
    }
}
