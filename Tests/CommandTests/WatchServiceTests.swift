import Foundation
import Testing

@Suite("watch runs as a user service")
struct WatchServiceTests {
    private static let checker = "/usr/bin/systemd-analyze"
    private static let isThere = FileManager.default.isExecutableFile(atPath: checker)

    private let unit = Program.package
        .appendingPathComponent("desktop/systemd/user/passconduit-watch.service")

    @Test(
        "systemd accepts the unit",
        .enabled(if: isThere, "needs systemd-analyze"))
    func verify() throws {
        let home = try Home(named: "service")
        defer { home.remove() }
        let program = Program(home: home, environment: ["XDG_RUNTIME_DIR": home.folder.path])
        // systemd looks for the program at its installed path.
        let text = try String(contentsOf: unit, encoding: .utf8)
            .replacing("ExecStart=passconduit ", with: "ExecStart=\(program.path) ")
        try #require(text.contains(program.path))
        let verify = "\(Self.checker) --user --man=no verify passconduit-watch.service"
        try home.write(Data(text.utf8), to: "passconduit-watch.service")
        let good = try program.shell(verify)
        #expect(good.status == 0)
        #expect(good.errors == "")
        #expect(good.output == "")
        // Check that an error in the unit would be reported.
        let wrong = text.replacing("ProtectSystem=strict", with: "ProtectSystems=strict")
        try home.write(Data(wrong.utf8), to: "passconduit-watch.service")
        #expect(try program.shell(verify).errors.contains("'ProtectSystems'"))
    }
}
