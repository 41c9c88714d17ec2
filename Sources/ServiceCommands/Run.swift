internal import ArgumentParser
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Localization
internal import Logging
internal import NIOCore
internal import PassPresentation
internal import PassService
internal import PassSession
internal import ServiceLifecycle
internal import UnixSignals

/// `passconduit-serve run`: serves until it is asked to end.
struct Run: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Serve the store to devices, until SIGTERM or SIGINT.",
        discussion: """
            Creates the store if it does not exist. Prints the address once devices can connect, and \
            logs requests to standard error, without tokens. After a signal, requests that have \
            begun are answered within 10 seconds.

            Passes of rows of data (publish --data) are signed when a device first asks for them, \
            with the certificate of `passconduit certificate` for their pass type. If one cannot be \
            signed, the answer is 503, and the log says why.

            The webServiceURL of the passes is the address that devices see, up to the prefix: for \
            https://example.com/wallet, a proxy passes /wallet on, and --prefix is /wallet.

            The service speaks HTTP, and Wallet requires HTTPS: a proxy in front of it has the \
            certificate, and limits the requests of each client. With --plain-http, the service \
            also listens on addresses that other computers can reach.

            With --metrics-port, /metrics has counts in the text format of Prometheus, and /health \
            is 200 while the database answers.

            People download a pass at /download/KEY, under the prefix; KEY is the key that publish \
            prints with --json.
            """)

    @OptionGroup var store: StoreArguments

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var address = "127.0.0.1"

    @Flag(
        help: "Listen on an address that is not loopback; a proxy in front of it speaks HTTPS.")
    var plainHTTP = false

    @Option(help: ArgumentHelp("The port to listen on; 0 for any free port.", valueName: "port"))
    var port: UInt16 = 8080

    @Option(
        help: ArgumentHelp("The path in front of /v1, such as /wallet.", valueName: "path"))
    var prefix = ""

    @OptionGroup var trust: TrustArguments

    @Option(
        help: ArgumentHelp(
            "The maximum number of devices that can register for one pass.", valueName: "number"))
    var devicesPerPass = ServiceLimits().devicesPerPass

    @Option(
        help: ArgumentHelp(
            "The port for metrics and health; 0 for any free port.", valueName: "port"))
    var metricsPort: UInt16?

    @Option(
        help: ArgumentHelp(
            "The address for metrics and health, which anyone who can connect may read.",
            valueName: "address"))
    var metricsAddress = "127.0.0.1"

    @OptionGroup var pushes: PushArguments
    @OptionGroup var log: LogArguments
    @OptionGroup var language: LanguageArguments

    func validate() throws {
        guard prefix.isEmpty || prefix.hasPrefix("/") else {
            throw ValidationError("--prefix begins with a slash")
        }
        guard !prefix.hasSuffix("/v1"), !prefix.hasSuffix("/v1/") else {
            throw ValidationError("--prefix is the path in front of /v1, without it")
        }
        guard plainHTTP || isLoopback(address) else {
            throw ValidationError(
                "other computers can reach --address \(address), and Wallet requires HTTPS; "
                    + "with a proxy that speaks HTTPS, add --plain-http")
        }
        if devicesPerPass < 1 { throw ValidationError("--devices-per-pass is at least 1") }
    }

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        var limits = ServiceLimits()
        limits.devicesPerPass = devicesPerPass
        limits.connections = min(limits.connections, raisedFileLimit() - reservedFiles)
        let logger = log.logger(in: shell)
        let store = try await self.store.open(creating: true, limits: limits)
        let keys = SigningKeys(shell.session, verifier: try trust.verifier(in: shell.session))
        let signer = TemplateSigner(store) { passType in try keys.signer(for: passType) }
        let displayLocale = DisplayLocale(shell.session.environment, language: language.language)
        let responder = ServiceResponder(
            store, prefix: prefix, limits: limits, signer: signer,
            page: PassPage.maker(displayLocale))
        let connections = OpenConnections()
        let sender = try pushes.sender(for: store, in: shell, logger: logger)

        // There is nothing to reload, and the signal must not end the program.
        signal(SIGHUP, SIG_IGN)
        // The service group stops services in the reverse of this order.
        var services: [any Service] = []
        if let sender { services.append(sender) }
        services.append(RepeatedTask(every: .seconds(5)) { await responder.storeFetches() })
        let unsendable = UnsendablePushes(store, sender, logger)
        services.append(RepeatedTask(every: .seconds(60)) { await unsendable.warn() })
        if let metricsPort {
            services.append(
                metrics(on: metricsPort, of: store, logger, in: shell) {
                    Metric.requests(responder.metrics.snapshot)
                        + (sender.map { Metric.pushes($0.counts) } ?? []) + [
                            Metric("connections", .gauge, "Open connections.", connections.count)
                        ]
                })
        }
        let server = Application(
            responder: responder,
            server: .passService(limits: limits, connections: connections),
            configuration: ApplicationConfiguration(
                address: .hostname(address, port: Int(port)),
                availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
            onServerRunning: { [prefix, isJSON = self.store.json] channel in
                let local = channel.localAddress
                let record = ListeningRecord(
                    address: local?.ipAddress ?? "", port: local?.port ?? 0, prefix: prefix)
                // A closed pipe does not end the service.
                try? shell.print(
                    record, asJSON: isJSON,
                    localized("listening on {place}", ["place": record.url]).escaped)
            },
            logger: logger)
        let place = ListeningRecord(address: address, port: Int(port))
        services.append(Listener(server: server, place: place.url))
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // After shutdownSeconds all connections are closed, but a request may still wait for the
        // database.
        configuration.maximumGracefulShutdownDuration = .seconds(limits.shutdownSeconds + 5)
        try await ServiceGroup(configuration: configuration).run()
        await responder.storeFetches()
        return .done
    }

    private func metrics(
        on port: UInt16, of store: ServiceStore, _ logger: Logger, in shell: ServiceShell,
        _ counts: @escaping @Sendable () -> [Metric]
    ) -> any Service {
        let server = Application(
            responder: MetricsResponder(store: store, counts: counts),
            server: .passService(),
            configuration: ApplicationConfiguration(
                address: .hostname(metricsAddress, port: Int(port)),
                availableConnectionsDelegate: .maximum(64, logger: logger)),
            onServerRunning: { [isJSON = self.store.json] channel in
                let local = channel.localAddress
                let record = ListeningRecord(
                    "listeningForMetrics", address: local?.ipAddress ?? "", port: local?.port ?? 0)
                try? shell.print(
                    record, asJSON: isJSON,
                    localized("metrics at {place}", ["place": "\(record.url)/metrics"]).escaped)
            },
            logger: logger)
        let place = ListeningRecord(address: metricsAddress, port: Int(port))
        return Listener(server: server, place: place.url)
    }
}

/// Whether only programs on this computer can connect to an address.
private func isLoopback(_ address: String) -> Bool {
    guard let text = (try? SocketAddress(ipAddress: address, port: 0))?.ipAddress else {
        return address == "localhost"
    }
    return text == "::1" || text.hasPrefix("127.")
}

/// File descriptors reserved for databases, metrics, pushes and signing.
private let reservedFiles = 100

/// Raises the limit of open files to the maximum that the system allows, and returns the new limit.
private func raisedFileLimit() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        return 1024
    }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return max(Int(clamping: limit.rlim_cur), reservedFiles + 16)
}
