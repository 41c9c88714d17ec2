import Foundation
import Glibc
import PassFixtures
import PassModel
import PassStore
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

    init(_ library: URL, series: String, common: String = "", batches: Int) throws {
        report = library.appendingPathExtension("report-\(series)")
        try Data().write(to: report)
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--testing-library", "swift-testing", "--filter", "ProcessesTests/importer",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "IMPORTER_LIBRARY": library.path, "IMPORTER_REPORT": report.path,
            "IMPORTER_SERIES": series, "IMPORTER_COMMON": common, "IMPORTER_BATCHES": "\(batches)",
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
}
