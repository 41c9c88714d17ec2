import Foundation
import Glibc
import PassFixtures
import Testing

/// Passes published with `passconduit-serve` by the issuer of a ``PassHolder``.
final class ServedPasses {
    private let holder: PassHolder
    private let program: Program
    private let store: String
    private var process: Process?
    private(set) var port = 0

    /// Starts the service.
    init(_ holder: PassHolder) throws {
        self.holder = holder
        program = Program("passconduit-serve", home: holder.home)
        store = holder.home.path("store")
        try start()
    }

    deinit {
        guard let process else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Starts the service, at the same port as before.
    func start() throws {
        let output = try holder.home.write(Data(), to: "service-\(UUID().uuidString)")
        let process = try program.start(
            ["run", "--store", store, "--port", "\(port)", "--json"],
            output: try FileHandle(forWritingTo: output))
        self.process = process
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let text = try String(contentsOf: output, encoding: .utf8)
            if let end = text.firstIndex(of: "\n") {
                let line = Data(text[..<end].utf8)
                let record = try JSONSerialization.jsonObject(with: line) as? [String: Any]
                port = try #require(record?["port"] as? Int)
                return
            }
            try #require(process.isRunning && ContinuousClock.now < deadline)
            usleep(5000)
        }
    }

    func stop() {
        guard let process else { return }
        process.terminate()
        process.waitUntilExit()
        self.process = nil
    }

    func recipe(_ serial: String, version: Int = 0) -> PassRecipe {
        var recipe = PassHolder.recipe(
            serial, from: "http://127.0.0.1:\(port)/", gate: "\(version)", hours: Double(version))
        recipe.authenticationToken = "secret-of-\(serial)-at-the-service"
        return recipe
    }

    /// Publishes the first versions of passes, and adds them to the library.
    func hold(_ serials: [String]) throws {
        try publish(serials)
        try holder.add(serials.map { recipe($0) })
    }

    func publish(_ serials: [String], version: Int = 0) throws {
        let folder = holder.home.folder.appendingPathComponent("out-\(UUID().uuidString)")
        try holder.maker.make(serials.map { recipe($0, version: version) }, in: folder)
        let result = try program.run(
            ["publish", "--store", store, "--trust-root", holder.maker.authority, folder.path])
        try #require(result.status == 0, "\(result.errors)")
    }

    /// The serial numbers of the passes for which a device is registered.
    var registered: [String] {
        get throws {
            try program.run(["list", "--store", store, "--json", "--limit", "1000"]).records
                .filter { $0["devices"] as? Int == 1 }
                .compactMap { $0["serialNumber"] as? String }.sorted()
        }
    }
}
