import Foundation
import Glibc
import PassFixtures
import PassModel
import PassStore
import PassVerification
import Testing

/// The importing processes are this test program itself, started again to run the last test in this
/// file.
@Suite("Any number of processes import at once, and each may be killed at any moment")
struct ProcessesTests {
    let scratch = Scratch()

    @Test("no pass is lost between processes", .timeLimit(.minutes(3)))
    func together() throws {
        let importers = try (0..<4).map { number in
            try Importer(scratch.url, series: "\(number)", common: "common", batches: 12)
        }
        for importer in importers { importer.process.waitUntilExit() }
        let library = try PassLibrary(at: scratch.url, for: .writing)
        for importer in importers {
            #expect(importer.process.terminationStatus == 0)
            #expect(importer.reported.count == 12 * Importer.batch)
            for serial in importer.reported { #expect(try library.contains(identity(serial))) }
        }
        // Each process adds one version of its own passes, and one origin to the shared ones.
        #expect(try library.count() == (4 + 1) * 12 * Importer.batch)
        for pass in try library.passes() {
            #expect(pass.current.origins.count == (pass.serialNumber.hasPrefix("common") ? 4 : 1))
        }
        #expect(try check(mend: false).findings == [])
        #expect(scratch.files("passes").count == (4 + 1) * 12 * Importer.batch)
    }

    @Test(
        "no transaction is half done, wherever it is interrupted", .tags(.repeats),
        .timeLimit(.minutes(10)))
    func killed() throws {
        var reported: Set<String> = []
        var leftovers = 0
        _ = try PassLibrary(at: scratch.url, for: .writing)
        var round = -1
        // Continue until a kill has interrupted a running import.
        while round < rounds(100, least: 12) || leftovers == 0, round < 200 {
            round += 1
            let importer = try Importer(scratch.url, series: "\(round)", batches: .max)
            // The first kills come early, the others during an import.
            if round >= 4 { importer.waitForReport() }
            usleep(useconds_t.random(in: 0..<200_000))
            kill(importer.process.processIdentifier, SIGKILL)
            importer.process.waitUntilExit()
            #expect(importer.process.terminationReason == .uncaughtSignal)
            reported.formUnion(importer.reported)

            let library = try PassLibrary(at: scratch.url, for: .reading)
            let present = Set(try library.passes().map(\.serialNumber))
            #expect(reported.isSubset(of: present))
            // A transaction is stored completely or not at all.
            #expect(present.count.isMultiple(of: Importer.batch))
            let findings = try check(mend: true).findings
            #expect(findings.allSatisfy { [.leftoverFile, .refusedFile].contains($0.code) })
            leftovers += findings.isEmpty ? 0 : 1
            #expect(try check(mend: false).findings == [])
        }
        #expect(!reported.isEmpty)
        #expect(leftovers > 0, "no kill hit an import at work")
        #expect(
            try scratch.files("passes").count == PassLibrary(at: scratch.url, for: .writing).count()
        )
    }

    @Test(
        "a better copy takes the place of another one wholly or not at all", .tags(.repeats),
        .timeLimit(.minutes(10)))
    func replacing() throws {
        let issuer = try PassMaker.ofTickets()
        let anchors = try TrustAnchors(certificates: [issuer.authorityCertificate])
        let verifier = PassVerifier(anchors: anchors)
        let clean = try issuer.sign(TestPass())
        let odd = try repacked(clean, Packaging.inFolder)
        let folder = Scratch()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let paths = [("odd", odd), ("clean", clean)].map { name, file in
            (folder.url.appending(path: name), Data(file))
        }
        for (path, file) in paths { try file.write(to: path) }
        _ = try PassLibrary(at: scratch.url, for: .writing)
        for round in 0..<rounds(100, least: 12) {
            let importer = try Importer(
                scratch.url, series: "\(round)", batches: .max,
                copies: paths.map(\.0.path) + [issuer.authority])
            importer.waitForReport()
            usleep(useconds_t.random(in: 0..<50_000))
            kill(importer.process.processIdentifier, SIGKILL)
            importer.process.waitUntilExit()

            let stored = try PassLibrary(at: scratch.url).passes().first
            if let stored {
                let octets = Array(try PassLibrary(at: scratch.url).octets(of: stored.current))
                #expect(octets == odd || octets == clean)
                #expect(Set(stored.current.origins.map(\.source)).isSubset(of: ["odd", "clean"]))
            }
            let findings = try PassLibrary.check(at: scratch.url, mend: true) { octets in
                verifier.verify(Array(octets)).verified
            }.findings
            #expect(findings.allSatisfy { [.leftoverFile, .orphanFile].contains($0.code) })
            #expect(try check(mend: false).findings == [])
            #expect(scratch.files("damaged").isEmpty)
            if findings.contains(where: { $0.code == .orphanFile }), stored != nil {
                let current = try #require(try PassLibrary(at: scratch.url).passes().first).current
                #expect(Array(try PassLibrary(at: scratch.url).octets(of: current)) == clean)
            }
            try PassLibrary(at: scratch.url, for: .writing)
                .remove(TestPass().incoming().pass.pass.identity)
        }
    }

    @Test(.enabled(if: Importer.isImporter))
    func importer() throws {
        try Importer.run()
    }

    private func identity(_ serial: String) -> PassIdentity {
        PassIdentity(passTypeIdentifier: "pass.com.example.ticket", serialNumber: serial)
    }

    private func check(mend: Bool) throws -> LibraryCheck {
        try PassLibrary.check(at: scratch.url, mend: mend) { _ in nil }
    }
}

/// A process that imports batch after batch, and records the passes whose import was reported.
final class Importer {
    static let batch = 10

    let process = Process()
    private let report: URL

    /// - Parameter copies: The paths of two copies of a pass, the better one last, and of its
    ///   authority: to add one after the other and remove the pass, again and again.
    init(
        _ library: URL, series: String, common: String = "", batches: Int, copies: [String] = []
    ) throws {
        report = library.appendingPathExtension("report-\(series)")
        try Data().write(to: report)
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--testing-library", "swift-testing", "--filter", "ProcessesTests/importer",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "IMPORTER_LIBRARY": library.path, "IMPORTER_REPORT": report.path,
            "IMPORTER_SERIES": series, "IMPORTER_COMMON": common, "IMPORTER_BATCHES": "\(batches)",
            "IMPORTER_COPIES": copies.joined(separator: "\n"),
        ]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { try? FileManager.default.removeItem(at: report) }

    var reported: [String] {
        (try? String(contentsOf: report, encoding: .utf8))?.split(separator: "\n").map(String.init)
            ?? []
    }

    func waitForReport() {
        while process.isRunning, reported.isEmpty { usleep(2000) }
    }

    static var isImporter: Bool { ProcessInfo.processInfo.environment["IMPORTER_LIBRARY"] != nil }

    /// The work of the process.
    static func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let series = environment["IMPORTER_SERIES"] ?? ""
        let common = environment["IMPORTER_COMMON"] ?? ""
        let batches = environment["IMPORTER_BATCHES"].flatMap(Int.init) ?? 0
        let report = try FileHandle(
            forWritingTo: URL(fileURLWithPath: environment["IMPORTER_REPORT"] ?? ""))
        let library = try PassLibrary(
            at: URL(fileURLWithPath: environment["IMPORTER_LIBRARY"] ?? ""), for: .writing)
        if let copies = environment["IMPORTER_COPIES"], !copies.isEmpty {
            return try replace(copies.split(separator: "\n").map(String.init), library, report)
        }
        for number in 0..<batches {
            let serials = (0..<batch).map { "\(series)-\(number)-\($0)" }
            _ = try library.add(serials.map { try TestPass(serial: $0).incoming(from: series) })
            try report.write(contentsOf: Data((serials.joined(separator: "\n") + "\n").utf8))
            guard !common.isEmpty else { continue }
            _ = try library.add(
                (0..<batch).map {
                    try TestPass(serial: "\(common)-\(number)-\($0)").incoming(from: series)
                })
        }
    }

    private static func replace(
        _ paths: [String], _ library: PassLibrary, _ report: FileHandle
    ) throws {
        let files = try paths.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
        let verifier = PassVerifier(anchors: try TrustAnchors(certificates: [files[2]]))
        let copies = [
            try IncomingPass(files[0], from: "odd", by: verifier),
            try IncomingPass(files[1], from: "clean", by: verifier),
        ]
        while true {
            for copy in copies { _ = try library.add([copy]) }
            try report.write(contentsOf: Data("replaced\n".utf8))
            try library.remove(copies[0].pass.pass.identity)
        }
    }
}
