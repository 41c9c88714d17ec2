import Foundation
import PassModel
import PassStore
import PassUpdates
import PassVerification
import Testing

@Suite("A pass is requested as often as useful, within its host's limits")
struct UpdateScheduleTests {
    private static let hour = 3600.0
    private static let day = 24 * hour

    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func version(
        expires: Double? = nil, relevant: Double? = nil, isVoided: Bool = false
    ) throws -> StoredVersion {
        var object: [String: Any] = [
            "passTypeIdentifier": "pass.com.example", "serialNumber": "1", "voided": isVoided,
        ]
        object["expirationDate"] = expires.map { now.addingTimeInterval($0).formatted(.iso8601) }
        object["relevantDate"] = relevant.map { now.addingTimeInterval($0).formatted(.iso8601) }
        return try Stored.version(object)
    }

    private func seconds(
        _ answer: UpdateAnswer, _ version: StoredVersion, failures: Int = 1, isTaken: Bool = true,
        chance: Double = 1
    ) -> Double? {
        var schedule = UpdateSchedule()
        schedule.chance = { chance }
        return schedule.time(
            after: answer, on: version, failures: failures, isTaken: isTaken, now: now
        )?.timeIntervalSince(now)
    }

    struct Situation: Sendable {
        var expires: Double?
        var relevant: Double?
        var isVoided = false
        let longest: Double
    }

    @Test(
        "hourly while it is in use, then daily, then weekly",
        arguments: [
            Situation(longest: hour),
            Situation(expires: 10 * day, relevant: day, longest: hour),
            Situation(relevant: -day, longest: hour),
            Situation(relevant: -3 * day, longest: day),
            Situation(expires: -1, longest: 7 * day),
            Situation(expires: -1, relevant: day, longest: 7 * day),
            Situation(isVoided: true, longest: 7 * day),
            Situation(expires: 10 * day, relevant: -3 * day, isVoided: true, longest: 7 * day),
        ])
    func regular(_ standing: Situation) throws {
        let version = try version(
            expires: standing.expires, relevant: standing.relevant, isVoided: standing.isVoided)
        #expect(seconds(.unchanged, version) == standing.longest)
        #expect(seconds(.pass, version) == standing.longest)
        #expect(seconds(.unchanged, version, chance: 0) == standing.longest / 2)
    }

    @Test(
        "less often with each failure, up to a limit",
        arguments: [
            (UpdateAnswer.missing, [24, 48, 96, 720]), (.wrong, [1, 2, 4, 24]),
            (.silent, [1, 2, 4, 4]), (.busy(retryAfter: nil), [1, 2, 4, 24]),
        ])
    func failures(answer: UpdateAnswer, hours: [Double]) throws {
        let version = try version()
        for (failures, longest) in zip([1, 2, 3, 1000], hours) {
            #expect(seconds(answer, version, failures: failures) == longest * Self.hour)
        }
    }

    @Test("a useless response counts as a failure")
    func refused() throws {
        let version = try version()
        #expect(seconds(.pass, version, failures: 3, isTaken: false) == 4 * Self.hour)
        #expect(seconds(.pass, version, failures: 900, isTaken: false) == 7 * Self.day)
    }

    @Test("never again after a refusal")
    func never() throws {
        #expect(seconds(.refused, try version()) == nil)
    }

    @Test("not before Retry-After, which is limited to less than a year")
    func busy() throws {
        let version = try version()
        let wait = try #require(seconds(.busy(retryAfter: 10 * Self.hour), version, chance: 0))
        #expect(wait >= 10 * Self.hour)
        let year = try #require(seconds(.busy(retryAfter: 365 * Self.day), version, chance: 0))
        #expect(year <= 8 * Self.day)
    }
}

/// Versions as a library stores them.
enum Stored {
    static func version(_ passJSON: [String: Any]) throws -> StoredVersion {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-schedule-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONSerialization.data(withJSONObject: passJSON)
            .write(to: folder.appendingPathComponent("pass.json"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-m", "zipfile", "-c", "a.pkpass", "pass.json"]
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        let verification = try PassVerifier().verify(
            contentsOf: folder.appendingPathComponent("a.pkpass"))
        let pass = try #require(verification.verified)
        let library = try PassLibrary(at: folder.appendingPathComponent("library"), for: .writing)
        _ = try library.add([IncomingPass(pass: pass, origin: Origin(source: "test"))])
        return try library.pass(named: "1").current
    }
}
