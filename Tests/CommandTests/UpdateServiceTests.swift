import Foundation
import Testing

@Suite("update runs hourly as a user service")
struct UpdateServiceTests {
    private static let checker = "/usr/bin/systemd-analyze"
    private static let isThere = FileManager.default.isExecutableFile(atPath: checker)

    private let units = Program.package.appendingPathComponent("desktop/systemd/user")

    private func unit(_ name: String) throws -> String {
        try String(contentsOf: units.appendingPathComponent(name), encoding: .utf8)
    }

    @Test(
        "systemd accepts the units",
        .enabled(if: isThere, "needs systemd-analyze"))
    func verify() throws {
        let home = try Home(named: "service")
        defer { home.remove() }
        let program = Program(home: home, environment: ["XDG_RUNTIME_DIR": home.folder.path])
        // systemd looks for the program at its installed path.
        let service = try unit("passconduit-update.service")
            .replacing("ExecStart=passconduit ", with: "ExecStart=\(program.path) ")
        let timer = try unit("passconduit-update.timer")
        try #require(service.contains(program.path))
        let verify =
            "\(Self.checker) --user --man=no verify ./passconduit-update.service "
            + "./passconduit-update.timer"
        try home.write(Data(service.utf8), to: "passconduit-update.service")
        try home.write(Data(timer.utf8), to: "passconduit-update.timer")
        let good = try program.shell(verify)
        #expect(good.status == 0)
        #expect(good.errors == "")
        #expect(good.output == "")
        // Check that an error in a unit would be reported.
        let wrong = timer.replacing("OnCalendar=hourly", with: "OnCalendar=now and then")
        try home.write(Data(wrong.utf8), to: "passconduit-update.timer")
        #expect(try program.shell(verify).errors.contains("now and then"))
    }

    @Test("the service uses only options of the command")
    func command() throws {
        let home = try Home(named: "service")
        defer { home.remove() }
        let lines = try unit("passconduit-update.service").split(separator: "\n")
            .filter { $0.hasPrefix("Exec") }
        #expect(lines.count == 2)
        for line in lines {
            let words = line.split(separator: " ").drop { !$0.hasSuffix("passconduit") }.dropFirst()
                .map(String.init).filter { !$0.hasPrefix("$") }
            // Without a library there is nothing to update, but this is not a usage error.
            let run = try Program(home: home).run(words)
            #expect(run.status == 2)
            #expect(run.errors.hasPrefix("passconduit: there is no library at "))
        }
    }
}
