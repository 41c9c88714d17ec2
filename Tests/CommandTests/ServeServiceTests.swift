import Foundation
import Testing

@Suite("passconduit-serve runs as a system service")
struct ServeServiceTests {
    private static let checker = "/usr/bin/systemd-analyze"
    private static let isThere = FileManager.default.isExecutableFile(atPath: checker)

    private let unit = Program.package
        .appendingPathComponent("desktop/systemd/system/passconduit-serve.service")

    @Test(
        "systemd accepts the unit and rates it as confined",
        .enabled(if: isThere, "needs systemd-analyze"))
    func verify() throws {
        let home = try Home(named: "service")
        defer { home.remove() }
        let program = Program("passconduit-serve", home: home)
        // systemd looks for the program at its installed path.
        let text = try String(contentsOf: unit, encoding: .utf8)
            .replacing("ExecStart=passconduit-serve ", with: "ExecStart=\(program.path) ")
        try #require(text.contains(program.path))
        let verify = "\(Self.checker) --man=no verify ./passconduit-serve.service"
        try home.write(Data(text.utf8), to: "passconduit-serve.service")
        let good = try program.shell(verify)
        #expect(good.status == 0)
        #expect(good.errors + good.output == "")
        // The threshold is in tenths of the exposure level: 0 is safe, 10 is not confined.
        let confined = try program.shell(
            "\(Self.checker) security --offline=true --threshold=15 ./passconduit-serve.service")
        #expect(confined.status == 0, "\(confined.output)")
        // Check that systemd-analyze reports an error in a unit.
        let wrong = text.replacing("ProtectSystem=strict", with: "ProtectSystems=strict")
        try home.write(Data(wrong.utf8), to: "passconduit-serve.service")
        #expect(try program.shell(verify).errors.contains("'ProtectSystems'"))
    }
}
