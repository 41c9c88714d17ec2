import Foundation
import PassFixtures
import Testing

@Suite("Hostile mail takes time and memory in proportion to its size")
struct HostileMailTests {
    /// In bytes.
    private static let sizes = isEndurance ? [256 << 10, 1 << 20] : [64 << 10, 256 << 10]

    /// In KiB.
    private static let mostMemory = 64 << 10

    private static let generator = Program.package
        .appendingPathComponent("Tests/CommandTests/hostile_mail.py").path

    private static let pass = Program.package
        .appendingPathComponent("Samples/passes/trusted/generic-gym.pkpass").path

    private static let shapes: [String] = {
        let list = try? Program("/usr/bin/python3", home: Home(named: "shapes"))
            .run([generator, "--list"])
        return list?.lines ?? []
    }()

    @Test("there are shapes to test")
    func some() {
        #expect(Self.shapes.count == 22)
    }

    /// A ratio of 4 means linear time, 16 quadratic. Other tests run at the same time.
    @Test(
        "time grows linearly with the size, and memory does not grow", .tags(.repeats),
        arguments: shapes)
    func cost(shape: String) throws {
        let home = try Home(named: "hostile")
        defer { home.remove() }
        let costs = try Self.sizes.map { size in
            let make = [Self.generator, shape, String(size), Self.pass]
            let mail = try Program("/usr/bin/python3", home: home).shell(
                "/usr/bin/python3 \(make.map { "'\($0)'" }.joined(separator: " ")) > \(size).mail")
            #expect(mail.status == 0, "\(mail.errors)")
            return try cost(of: "\(size).mail", in: home)
        }
        #expect(costs[1].seconds / max(costs[0].seconds, 0.03) < 8, "\(costs)")
        #expect(costs[1].memory < Self.mostMemory, "\(costs)")
    }

    /// Processor time, and peak memory in KiB.
    private func cost(of mail: String, in home: Home) throws -> (seconds: Double, memory: Int) {
        let program = Program(home: home)
        let run = try program.execute(
            "/usr/bin/time", ["-q", "-f", "%U %S %M", "-o", "cost", program.path, "scan", mail],
            input: Data())
        // 0: a candidate was found. 1: nothing was found. 2: a limit was exceeded.
        #expect([0, 1, 2].contains(run.status), "\(run.status): \(run.errors.suffix(500))")
        let cost = try String(contentsOfFile: home.path("cost"), encoding: .utf8)
            .split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        try #require(cost.count == 3)
        return (cost[0] + cost[1], Int(cost[2]))
    }
}
