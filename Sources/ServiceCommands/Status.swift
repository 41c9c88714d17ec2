internal import ArgumentParser
internal import Localization
internal import PassPresentation
internal import PassService
internal import PassSession

/// `passconduit-serve status`: the size of the store.
struct Status: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Count passes, devices, registrations and log lines.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var language: LanguageArguments

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        let status = try await store.open(creating: false).status()
        let counts = [
            counted("{count} pass", "{count} passes", status.passes),
            counted("{count} device", "{count} devices", status.devices),
            counted("{count} registration", "{count} registrations", status.registrations),
            counted("{count} log line", "{count} log lines", status.logLines),
        ]
        try shell.print(
            StatusRecord(status), asJSON: store.json, counts.joined(separator: "\n"))
        return .done
    }
}
