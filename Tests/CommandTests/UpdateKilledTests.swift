import Foundation
import Loopback
import PassFixtures
import Synchronization
import Testing

@Suite("A killed update loses no change")
struct UpdateKilledTests {
    private static let serials = (1...12).map { "\($0)" }

    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("killed-updates")
    }

    @Test(
        "at random moments of update, while passes change", .tags(.repeats),
        .timeLimit(.minutes(20)))
    func update() async throws {
        try await LoopbackServer.run { server in
            let service = IssuingService(on: server)
            try holder.hold(Dictionary(uniqueKeysWithValues: Self.serials.map { ($0, service) }))
            let issuer = try Issuer(holder, service)
            for round in 1...rounds(160) {
                try holder.pass(hours: 1)
                issuer.publish(4)
                let requests = service.requests.count + Int.random(in: 0...8)
                let process = try holder.program.start(
                    ["update", "--trust-root", holder.maker.authority] + PassHolder.onLoopback)
                let publishing = Task { await issuer.publishes() }
                let limit = ContinuousClock.now + .seconds(1)
                while service.requests.count < requests, ContinuousClock.now < limit {
                    try await Task.sleep(for: .milliseconds(1))
                }
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...50)))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                publishing.cancel()
                await publishing.value
                if round.isMultiple(of: 16) { try expectNoDamage() }
            }
            try holder.pass(hours: 1)
            #expect(try holder.update().status == 0)
            #expect(try versions() == issuer.versions)
            try holder.pass(hours: 1)
            let before = service.requests.count
            #expect(try holder.update().status == 0)
            #expect(service.requests.count == before + Self.serials.count)
            try expectNoDamage()
            let files = try FileManager.default.contentsOfDirectory(
                atPath: holder.home.library.appendingPathComponent("updates").path)
            #expect(files == [])
        }
    }

    /// The hours from the first signing time to that of the current version, by serial number.
    private func versions() throws -> [String: Int] {
        let rows = try holder.rows(
            """
            SELECT serialNumber, signedAt FROM passes JOIN versions ON versions.id = passes.front
            """)
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let seconds = (Double(row[1]) ?? 0) - PassHolder.signed.timeIntervalSince1970
                return (row[0], Int((seconds / 3600).rounded()))
            })
    }

    private func expectNoDamage() throws {
        let check = try holder.program.run(["library", "check", "--mend", "--json"])
        let findings = check.records.compactMap { $0["code"] as? String }
        #expect(Set(findings).isSubset(of: ["leftover-file", "orphan-file"]), "\(findings)")
    }
}

/// Publishes random versions.
private final class Issuer: Sendable {
    private let service: IssuingService
    private let folder: URL
    private let published: Mutex<[String: Int]>
    /// The number of versions of each pass.
    private static let versions = isEndurance ? 150 : 30

    init(_ holder: PassHolder, _ service: IssuingService) throws {
        self.service = service
        folder = holder.home.folder.appendingPathComponent("versions")
        let serials = service.serials
        let recipes = serials.flatMap { serial in
            (1...Self.versions).map { version in
                var recipe = PassHolder.recipe(serial, at: service, version: version)
                recipe.file = "\(serial)-\(version).pkpass"
                return recipe
            }
        }
        try holder.maker.make(recipes, in: folder)
        published = Mutex(Dictionary(uniqueKeysWithValues: serials.map { ($0, 0) }))
    }

    /// Publishes versions until the task is cancelled.
    func publishes() async {
        while !Task.isCancelled {
            publish(1)
            try? await Task.sleep(for: .milliseconds(Int.random(in: 10...120)))
        }
    }

    func publish(_ count: Int) {
        for _ in 0..<count {
            let serial = service.serials.randomElement() ?? ""
            published.withLock { published in
                let last = published[serial] ?? 0
                guard last < Self.versions else { return }
                let file = folder.appendingPathComponent("\(serial)-\(last + 1).pkpass")
                let date = PassHolder.signed.addingTimeInterval(Double(last + 1) * 3600)
                service.publish(serial, file, modified: date)
                published[serial] = last + 1
            }
        }
    }

    /// The version of each pass.
    var versions: [String: Int] { published.withLock { $0 } }
}
