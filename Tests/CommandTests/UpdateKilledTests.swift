import Foundation
import Loopback
import PassFixtures
import Synchronization
import Testing

@Suite("A killed update loses no change: the tags of lists are never ahead of the passes")
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
            let service = AnnouncingService(on: server)
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

                let state = try LibraryState(holder)
                if let tag = state.tag {
                    for (serial, version) in issuer.versions(at: tag) {
                        guard state.registered.contains(serial) else { continue }
                        #expect(
                            state.versions[serial] ?? -1 >= version,
                            "round \(round), pass \(serial), tag \(tag)")
                    }
                }
                if round.isMultiple(of: 16) { try expectNoDamage() }
            }
            try holder.pass(hours: 1)
            #expect(try holder.update().status == 0)
            #expect(try LibraryState(holder).versions == issuer.versions(at: .max))
            #expect(service.registered == Set(Self.serials))
            try holder.pass(hours: 1)
            let before = service.requests.count
            #expect(try holder.update().status == 0)
            #expect(service.requests.count == before + 1)
            try expectNoDamage()
            let files = try FileManager.default.contentsOfDirectory(
                atPath: holder.home.library.appendingPathComponent("updates").path)
            #expect(files == [])
        }
    }

    @Test(
        "at random moments of update --follow, with passconduit-serve", .tags(.repeats),
        .timeLimit(.minutes(20)))
    func follow() async throws {
        let served = try ServedPasses(holder)
        try served.hold(Self.serials)
        var versions = Dictionary(uniqueKeysWithValues: Self.serials.map { ($0, 0) })
        for round in 1...rounds(40) {
            let following = try FollowingUpdate(holder)
            // In the first round, passes are being registered.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...500)))
            let changed = Array(Self.serials.shuffled().prefix(3))
            try served.publish(changed, version: round)
            for serial in changed { versions[serial] = round }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...400)))
            #expect(following.end(by: SIGKILL).status == SIGKILL)
            if round.isMultiple(of: 4) { try expectNoDamage() }
        }
        let following = try FollowingUpdate(holder)
        try await following.waits(for: "newest versions") {
            try LibraryState(holder).versions == versions
        }
        #expect(try served.registered == Self.serials.sorted())
        #expect(following.end().status == 0)
        try expectNoDamage()
    }

    private func expectNoDamage() throws {
        let check = try holder.program.run(["library", "check", "--mend", "--json"])
        let findings = check.records.compactMap { $0["code"] as? String }
        #expect(Set(findings).isSubset(of: ["leftover-file", "orphan-file"]), "\(findings)")
    }
}

/// Publishes random versions.
private final class Issuer: Sendable {
    private let service: AnnouncingService
    private let folder: URL
    /// The serial number and version of each publication, in the order of their tags.
    private let published: Mutex<[(serial: String, version: Int, tag: Int)]>
    /// The number of versions of each pass.
    private static let versions = isEndurance ? 150 : 30

    init(_ holder: PassHolder, _ service: AnnouncingService) throws {
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
        published = Mutex(serials.map { ($0, 0, 0) })
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
                let last = published.last { $0.serial == serial }?.version ?? 0
                guard last < Self.versions else { return }
                let file = folder.appendingPathComponent("\(serial)-\(last + 1).pkpass")
                let date = PassHolder.signed.addingTimeInterval(Double(last + 1) * 3600)
                let tag = service.publish(serial, file, modified: date)
                published.append((serial, last + 1, tag))
            }
        }
    }

    /// The version of each pass after the publication with this tag.
    func versions(at tag: Int) -> [String: Int] {
        published.withLock { published in
            var versions: [String: Int] = [:]
            for each in published where each.tag <= tag { versions[each.serial] = each.version }
            return versions
        }
    }
}

/// What the index of a library says.
private struct LibraryState {
    /// The tag of the only list.
    var tag: Int?
    /// The hours from the first signing time to that of the current version, by serial number.
    var versions: [String: Int] = [:]
    var registered: Set<String> = []

    init(_ holder: PassHolder) throws {
        let rows = try holder.rows(
            """
            SELECT 'tag', tag, '' FROM tags
            UNION ALL SELECT 'registered', serialNumber, '' FROM registrations
                WHERE state = 'registered'
            UNION ALL SELECT 'version', serialNumber, signedAt FROM passes
                JOIN versions ON versions.id = passes.front
            """)
        for row in rows {
            switch row[0] {
            case "tag": tag = Int(row[1])
            case "registered": registered.insert(row[1])
            default:
                let seconds = (Double(row[2]) ?? 0) - PassHolder.signed.timeIntervalSince1970
                versions[row[1]] = Int((seconds / 3600).rounded())
            }
        }
    }
}
