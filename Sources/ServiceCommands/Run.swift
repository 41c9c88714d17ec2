internal import ArgumentParser
internal import Hummingbird
internal import HummingbirdCore
internal import Localization
internal import Logging
internal import NIOCore
internal import PassPresentation
internal import PassService
internal import PassSession
internal import Platform

/// `passconduit-serve run`: serves until it is asked to end.
struct Run: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Serve the store to devices, until SIGTERM or SIGINT.",
        discussion: """
            Creates the store if it does not exist. Prints the address once devices can connect, and \
            logs requests to standard error, without tokens. After a signal, requests that have \
            begun are answered.

            Passes of rows of data (publish --data) are signed when a device first asks for them, \
            with the certificate of `passconduit certificate` for their pass type. If one cannot be \
            signed, the answer is 503, and the log says why.

            The webServiceURL of the passes is the address that devices see, up to the prefix: for \
            https://example.com/wallet, a proxy passes /wallet on, and --prefix is /wallet.
            """)

    @OptionGroup var store: StoreArguments

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var address = "127.0.0.1"

    @Option(help: ArgumentHelp("The port to listen on; 0 for any free port.", valueName: "port"))
    var port: UInt16 = 8080

    @Option(
        help: ArgumentHelp("The path in front of /v1, such as /wallet.", valueName: "path"))
    var prefix = ""

    @OptionGroup var trust: TrustArguments
    @OptionGroup var language: LanguageArguments

    func validate() throws {
        guard prefix.isEmpty || prefix.hasPrefix("/") else {
            throw ValidationError("--prefix begins with a slash")
        }
    }

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        let limits = ServiceLimits()
        let store = try await self.store.open(creating: true)
        let isJSON = self.store.json
        let prefix = prefix
        let keys = SigningKeys(shell.session, verifier: try trust.verifier(in: shell.session))
        let signer = TemplateSigner(store) { passType in try keys.signer(for: passType) }
        let logger = Logger(label: "passconduit-serve")
        let application = Application(
            responder: ServiceResponder(store, prefix: prefix, limits: limits, signer: signer),
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    idleTimeout: .seconds(limits.idleSeconds))),
            configuration: ApplicationConfiguration(
                address: .hostname(address, port: Int(port)),
                availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
            onServerRunning: { channel in
                let local = channel.localAddress
                let record = ListeningRecord(
                    address: local?.ipAddress ?? "", port: local?.port ?? 0, prefix: prefix)
                // A closed pipe does not end the service.
                try? shell.print(
                    record, asJSON: isJSON,
                    localized("listening on {place}", ["place": record.url]).escaped)
            },
            logger: logger)
        do {
            try await application.runService()
        } catch let error as IOError {
            let place = ListeningRecord(address: address, port: Int(port), prefix: "").url
            throw Failure.unreadable(
                place, reason: FileError(.open, error.errnoCode).reasonPhrase)
        }
        return .done
    }
}
