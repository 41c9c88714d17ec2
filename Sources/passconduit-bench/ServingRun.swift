import ArgumentParser
import Foundation

/// `passconduit-bench serve`: compares the web service with nginx serving the same answers from
/// files.
struct ServingRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Measure passconduit-serve beside nginx, which serves a file with the answer.",
        discussion: """
            wrk asks both in turn over 16 connections. The table has the medians of requests per \
            second, and the 99th percentile of the time to an answer.
            """)

    @Option(help: "The registrations in the store; each device has 1,000.")
    var registrations = 100_000
    @Option(help: "How long each is asked, in seconds.") var seconds = 3
    @Option(help: "How often each is asked.") var runs = 3
    @Option(help: "Where the store is kept.") var folder = ".build/bench"
    @Option(help: "Where the pass comes from.") var samples = "Samples"

    func validate() throws {
        if [registrations / 1000, seconds, runs].contains(where: { $0 < 1 }) {
            throw ValidationError("a number is too small")
        }
    }

    func run() throws {
        let folder = URL(filePath: folder).absoluteURL.standardizedFileURL
        let store = folder.appendingPathComponent("served")
        try? FileManager.default.removeItem(at: store)
        try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
        let pass = "\(samples)/passes/trusted/boarding-pass-air-gate-7.pkpass"
        let program = Programs(folder: folder).built("passconduit-serve")
        _ = try Child(
            [
                program, "publish", "--store", store.path, "--trust-root",
                "\(samples)/authority/root.pem", pass,
            ], in: folder)
        _ = try Child(
            ["sqlite3", store.appendingPathComponent("service.sqlite").path, fill], in: folder)
        let site = try Site(in: folder)
        let nginx = try site.open()
        defer { nginx.terminate() }
        let (service, port) = try start(program, store)
        defer { service.terminate() }

        let served = "http://127.0.0.1:\(port)/v1"
        let token = ["Authorization: ApplePass sample-token-0123456789"]
        let path = "\(served)/passes/pass.example.nimbus/NB-2417-ANA-12A"
        let list = "\(served)/devices/d7/registrations/pass.example.nimbus"
        let copies = store.appendingPathComponent("copies")
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
        print(Self.line("request", "per second", "nginx", "ratio", "p99 ms", "nginx"))
        for (name, url, fields, file) in [
            ("pass", path, token, "pass"), ("pass, unchanged", path, token, "pass"),
            ("1,000 serial numbers", list, [], "list"),
            ("no serial numbers", "\(list)?passesUpdatedSince=\(registrations + 1)", [], "none"),
        ] {
            let copy = copies.appendingPathComponent(file)
            _ = try Child(
                ["curl", "-sS", "-f", "-o", copy.path] + fields.flatMap { ["-H", $0] } + [url],
                in: folder)
            if !FileManager.default.fileExists(atPath: copy.path) {
                // curl writes no file if the answer has no body.
                try Data().write(to: copy)
            }
            let own = site.url("served/copies/\(file)", over: .http)
            let (mine, others) = try (
                tag(name, url, fields, in: folder), tag(name, own, [], in: folder)
            )
            var (first, second): ([Load], [Load]) = ([], [])
            for _ in 0..<runs {
                first.append(try Load(url, fields + mine, seconds, in: folder))
                second.append(try Load(own, others, seconds, in: folder))
            }
            show(name, first, second)
        }
    }

    /// The request field with the entity tag, for measurements of an unchanged pass; else empty.
    private func tag(
        _ name: String, _ url: String, _ fields: [String], in folder: URL
    ) throws -> [String] {
        guard name.hasSuffix("unchanged") else { return [] }
        _ = try Child(
            ["curl", "-sS", "-f", "-I"] + fields.flatMap { ["-H", $0] } + [url], in: folder)
        let head = try String(contentsOfFile: Child.output(in: folder), encoding: .utf8)
        guard let tag = head.firstMatch(of: /(?i)etag: *(\S+)/)?.1 else {
            throw BenchError.failed("\(url) has no entity tag")
        }
        return ["If-None-Match: \(tag)"]
    }

    private func start(_ program: String, _ store: URL) throws -> (Process, Int) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["run", "--store", store.path, "--port", "0", "--json"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = line.firstMatch(of: /"port":(\d+)/).flatMap({ Int($0.1) }) else {
            process.terminate()
            throw BenchError.failed("passconduit-serve does not listen")
        }
        return (process, port)
    }

    /// SQL that adds passes without files, each registered by one device.
    private var fill: String {
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(registrations))
        INSERT INTO passes (passTypeIdentifier, serialNumber, sha256, size, tag, modified,
            downloadKey)
        SELECT 'pass.example.nimbus', 'S' || i, i, 0, 1 + i, 0, i FROM n;
        INSERT INTO devices (identifier, pushToken)
        SELECT DISTINCT 'd' || (tag / 1000), '00' FROM passes;
        INSERT INTO registrations (device, pass, confirmed)
        SELECT devices.id, passes.id, 0 FROM passes
        JOIN devices ON identifier = 'd' || (tag / 1000) WHERE tag > 1;
        UPDATE sequence SET tag = (SELECT max(tag) FROM passes);
        """
    }

    private func show(_ name: String, _ mine: [Load], _ others: [Load]) {
        let (rate, other) = (median(mine.map(\.rate)), median(others.map(\.rate)))
        let (late, otherLate) = (median(mine.map(\.p99)), median(others.map(\.p99)))
        print(
            Self.line(
                name, String(format: "%.0f", rate), String(format: "%.0f", other),
                String(format: "%.2f", rate / other), String(format: "%.1f", late),
                String(format: "%.1f", otherLate)))
        fflush(nil)
    }

    private static func line(_ cells: String...) -> String {
        cells.enumerated().map { index, cell in
            let padding = String(repeating: " ", count: max(0, (index == 0 ? 24 : 12) - cell.count))
            return index == 0 ? cell + padding : padding + cell
        }.joined()
    }
}

/// The result of a run of wrk.
private struct Load {
    /// Requests per second.
    let rate: Double
    /// The 99th percentile of the response time, in milliseconds.
    let p99: Double

    init(_ url: String, _ fields: [String], _ seconds: Int, in folder: URL) throws {
        _ = try Child(
            ["wrk", "-t1", "-c16", "-d\(seconds)", "--latency"]
                + fields.flatMap { ["-H", $0] } + [url], in: folder)
        let text = try String(contentsOfFile: Child.output(in: folder), encoding: .utf8)
        guard !text.contains("Non-2xx"), !text.contains("Socket errors"),
            let rate = text.firstMatch(of: /Requests\/sec: *([\d.]+)/).flatMap({ Double($0.1) }),
            let late = text.firstMatch(of: /99% *([\d.]+)(us|ms|s)/),
            let time = Double(late.1)
        else { throw BenchError.failed("\(url): \(text)") }
        self.rate = rate
        p99 = time * (late.2 == "us" ? 0.001 : late.2 == "ms" ? 1 : 1000)
    }
}

private func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
}
