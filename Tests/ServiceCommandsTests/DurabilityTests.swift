import Bytes
import Foundation
import Glibc
import PassFixtures
import PassModel
import PassService
import Testing

@Suite("The store stays consistent after kills, on full disks and in backups")
struct DurabilityTests {
    private let folder: URL
    private let maker: PassMaker

    init() throws {
        folder = try fixtureFolder()
        maker = try PassMaker()
    }

    private var store: String { folder.appending(path: "store").path }

    /// Writes this many passes, and returns their paths.
    private func write(_ count: Int, gate: String) throws -> [String] {
        let recipes = (0..<count).map { number in
            var recipe = PassRecipe("E\(number)")
            recipe.fields = [PassRecipe.Field("gate", gate)]
            recipe.authenticationToken = "vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc"
            return recipe
        }
        try maker.make(recipes, in: folder)
        return recipes.map { folder.appending(path: $0.file).path }
    }

    private func publish(_ files: [String], in store: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: try serveProgram())
        process.arguments =
            ["publish", "--store", store, "--trust-root", maker.authority] + files
        process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
        process.standardError = FileHandle.nullDevice
        return process
    }

    private static func serial(_ line: Substring) -> String? {
        line.hasPrefix("updated ") ? line.split(separator: "/").last.map(String.init) : nil
    }

    @Test("a killed publication changes a pass and adds its push, or does neither", .tags(.repeats))
    func kills() async throws {
        let count = 12
        let publishing = try publish(try write(count, gate: "0"), in: store)
        try publishing.run()
        publishing.waitUntilExit()
        let url = URL(filePath: store)
        let opened = try await ServiceStore(at: url, creating: false)
        for number in 0..<count {
            let pass = PassIdentity(
                passTypeIdentifier: PassMaker.type, serialNumber: "E\(number)")
            _ = try await opened.register("d\(number)", pushToken: "0\(number)", for: pass)
        }
        var killed = 0
        for round in 1...rounds(100) {
            let before = try await opened.status()
            let process = try publish(try write(count, gate: "\(round)"), in: store)
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            try await Task.sleep(for: .milliseconds(.random(in: 5...120)))
            kill(process.processIdentifier, SIGKILL)
            let lines = String(
                streamSafe: Array(try output.fileHandleForReading.readToEnd() ?? Data()))
            process.waitUntilExit()
            if process.terminationReason == .uncaughtSignal { killed += 1 }
            let facts = try Self.check(store)
            #expect(facts.state == "ok")
            // Each pass is completely changed or unchanged, and each change has its push.
            let changed = facts.tags.filter { $0.value > before.tag }
            #expect(facts.pushes == changed)
            #expect(try await opened.status().tag == before.tag + Int64(changed.count))
            // Each change that the program reported is in the store.
            let reported = lines.split(separator: "\n").compactMap(Self.serial)
            #expect(Set(reported).isSubset(of: changed.keys))
            let pushes = try await opened.claimPushes(limit: count, lease: 60)
            try await opened.settle(pushes.map { ($0, .delivered) })
        }
        #expect(killed > 0)
    }

    private struct Facts: Decodable {
        /// "ok" if the database is intact and all files have the digests of their passes.
        let state: String
        /// The tags of passes, by serial number.
        let tags: [String: Int64]
        /// The tags of pushes, by the serial number of the device's pass.
        let pushes: [String: Int64]
    }

    private static func check(_ store: String) throws -> Facts {
        let program = """
            import hashlib, json, sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            state = database.execute("PRAGMA integrity_check").fetchone()[0]
            for digest, size, octets in database.execute(
                    "SELECT sha256, size, octets FROM passes LEFT JOIN files ON pass = id"):
                if octets is None or hashlib.sha256(octets).hexdigest() != digest or len(octets) != size:
                    state = "damaged"
            tags = dict(database.execute("SELECT serialNumber, tag FROM passes"))
            pushes = dict(database.execute(
                "SELECT serialNumber, outbox.tag FROM outbox JOIN registrations USING (device) "
                "JOIN passes ON passes.id = pass"))
            print(json.dumps({"state": state, "tags": tags, "pushes": pushes}))
            """
        let output = try run(
            ["python3", "-c", program, "\(store)/service.sqlite"], input: [])
        return try JSONDecoder().decode(Facts.self, from: Data(output))
    }

    @Test("on a full disk a publication fails with a message, and works when there is room again")
    func fullDisk() throws {
        let files = try write(40, gate: "1")
        let script = """
            mount -t tmpfs -o size=400k none "$1"
            serve="$2" store="$1/store" root="$3"
            shift 3
            code=0
            "$serve" publish --store "$store" --trust-root "$root" "$1" || code=$?
            echo "first $code"
            head -c 400k /dev/zero > "$store/../filler" || true
            code=0
            "$serve" publish --store "$store" --trust-root "$root" "$@" || code=$?
            echo "full $code"
            rm "$store/../filler"
            code=0
            "$serve" publish --store "$store" --trust-root "$root" "$1" "$2" || code=$?
            echo "room $code"
            "$serve" status --store "$store" --json
            """
        let place = folder.appending(path: "disk").path
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        let output = try run(
            [
                "unshare", "-rm", "sh", "-c", script, "sh", place, serveProgram(),
                maker.authority,
            ] + files, input: [])
        let lines = String(streamSafe: output).split(separator: "\n")
        #expect(lines.contains("first 0"))
        #expect(lines.contains("full 2"))
        #expect(lines.contains("room 0"))
        let status = try #require(lines.last)
        #expect(status.contains(#""passes":2,"#))
    }

    @Test("a backup made while passes are published is consistent")
    func backup() async throws {
        let first = try publish(try write(30, gate: "0"), in: store)
        try first.run()
        first.waitUntilExit()
        let copy = folder.appending(path: "copy").path
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        let program = """
            import sqlite3, sys, time
            time.sleep(float(sys.argv[3]))
            source, target = (sqlite3.connect(path) for path in sys.argv[1:3])
            source.backup(target)
            """
        var overlapping = 0
        for round in 1...50 where overlapping < 2 {
            let before = try Self.check(store).tags
            let process = try publish(try write(30, gate: "\(round)"), in: store)
            try process.run()
            _ = try run(
                [
                    "python3", "-c", program, "\(store)/service.sqlite",
                    "\(copy)/service.sqlite", "\(Double.random(in: 0...0.3))",
                ], input: [])
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            let saved = try Self.check(copy)
            #expect(saved.state == "ok")
            let after = try Self.check(store).tags
            if saved.tags != before, saved.tags != after { overlapping += 1 }
        }
        // Some backups were made during the publications, and contain only a part of them.
        #expect(overlapping > 0)
        let restored = try await ServiceStore(at: URL(filePath: copy), creating: false)
        #expect(try await restored.status().passes == 30)
    }
}
