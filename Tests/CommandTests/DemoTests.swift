import Foundation
import Testing

/// The recipe of `make run` without its build step.
@Suite(
    "make run shows five passes of the 2040s in fewer than 40 lines",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/make"), "needs make"))
final class DemoTests {
    private let home: Home

    init() throws { home = try Home(named: "demo") }

    deinit { home.remove() }

    private var library: String { home.path("library") }

    private var arguments: [String] {
        let program = Program(home: home).path
        return [
            "-C", Program.package.path, "--no-print-directory", "-o", "programs", "run",
            "PROGRAM=\(program)", "DEMO=\(library)",
        ]
    }

    @Test(
        "the dates are the same in every time zone, and a second run prints the same",
        arguments: ["Pacific/Pago_Pago", "UTC", "Pacific/Auckland"])
    func piped(zone: String) throws {
        let make = Program("/usr/bin/make", home: home, environment: ["TZ": zone])
        for _ in 1...2 {
            let result = try make.run(arguments)
            #expect(result.status == 0)
            #expect(result.errors == "")
            #expect(result.output.count { $0 == "\n" } < 40)
            let lines = result.lines
            #expect(lines.count { $0.hasPrefix("added      trusted    ") } == 5)
            for day in ["2042-06-14", "2042-07-11", "2042-09-20"] {
                #expect(lines.count { $0.contains("  \(day) ") } == 1, "\(day)")
            }
            #expect(lines.contains { $0.hasPrefix("│ Ana Sample   Jun 14, 2042") })
            #expect(lines.suffix(2).first?.contains("/passconduit-viewer --library ") == true)
            #expect(lines.last?.hasSuffix("/passconduit import ~/Mail") == true)
        }
    }

    @Test("a terminal shows a card in colour")
    func terminal() throws {
        let make = Program(
            "/usr/bin/make", home: home, environment: ["COLORTERM": "truecolor"])
        let result = try make.onTerminal(arguments, columns: 80)
        #expect(result.status == 0)
        #expect(result.output.contains("48;2;12;74;140m"))
        #expect(result.output.count { $0.isNewline } < 40)
    }

    @Test("none of the passes expires before 2042")
    func dates() throws {
        _ = try Program("/usr/bin/make", home: home).run(arguments)
        let records = try Program(home: home).run(["list", "--json", "--library", library]).records
        #expect(records.count == 5)
        for record in records {
            #expect(try #require(record["expirationDate"] as? String) > "2042")
        }
    }
}
