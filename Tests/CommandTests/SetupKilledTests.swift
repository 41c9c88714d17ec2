import Foundation
import PassFixtures
import Testing

@Suite("setup killed before any of its changes can be repeated and undone")
final class SetupKilledTests {
    private let desktop: Desktop
    private var program: Program { desktop.program }

    init() throws {
        var desktop = try Desktop()
        try desktop.addStandIn()
        self.desktop = desktop
        try program.shellDone(
            """
            mkdir -p .local/state .config && printf 'a/b; c' > .mailcap &&
            printf '[Default Applications]\\na/b=c;\\n\\n' > .config/mimeapps.list
            """)
    }

    deinit { desktop.remove() }

    private static let canTrace: Bool = {
        guard let home = try? Home() else { return false }
        defer { home.remove() }
        return (try? Program(home: home).shell("strace -o trace true"))?.status == 0
    }()

    /// Runs the program, and kills it or one of its children at the nth system call of a kind.
    /// strace counts each system call separately.
    private func run(
        _ arguments: String, killedAt call: String, _ turn: Int
    ) throws -> Program.Result {
        try program.shell(
            """
            strace -f -o /dev/null -e trace=\(call) -e inject=\(call):signal=KILL:when=\(turn) \
            "$PROGRAM" \(arguments)
            """)
    }

    @Test(
        "at each folder, file and temporary file that it creates or removes", .tags(.repeats),
        .enabled(if: canTrace, "strace cannot trace here"), .timeLimit(.minutes(10)),
        arguments: [("mkdir", 10), ("renameat", 8), ("unlink", 1), ("rmdir", 1)])
    func killed(call: String, least: Int) throws {
        let before = try desktop.tree()
        var kills = 0
        let step = isEndurance ? 1 : 4
        for turn in stride(from: 1, through: 200, by: step) {
            let result = try run("setup --mailcap", killedAt: call, turn)
            if kills.isMultiple(of: 2) {
                // After a second run the result is the same as without a kill.
                #expect(try program.run(["setup", "--mailcap"]).status == 0)
                #expect(try desktop.defaultEntry() == Desktop.entry)
            }
            guard try isUndone(to: before, "\(call) \(turn)"), result.status != 0 else { break }
            kills += 1
        }
        #expect(kills >= max(least / step, 1))
    }

    @Test(
        "while setup is undone too", .tags(.repeats),
        .enabled(if: canTrace, "strace cannot trace here"),
        .timeLimit(.minutes(10)),
        arguments: [("renameat", 2), ("unlinkat", 15), ("rmdir", 9)])
    func removalKilled(call: String, least: Int) throws {
        let before = try desktop.tree()
        var kills = 0
        let step = isEndurance ? 1 : 6
        for turn in stride(from: 1, to: 200, by: step) {
            #expect(try program.run(["setup", "--mailcap"]).status == 0)
            let result = try run("setup --remove", killedAt: call, turn)
            guard try isUndone(to: before, "\(call) \(turn)"), result.status != 0 else { break }
            kills += 1
        }
        #expect(kills >= max(least / step, 1))
    }

    private func isUndone(to before: [String], _ turn: String) throws -> Bool {
        let removed = try program.run(["setup", "--remove"])
        #expect(removed.status == 0, "\(turn): \(removed.errors)")
        let after = try desktop.tree()
        #expect(after == before, "\(turn): \(Set(after).symmetricDifference(before))")
        return after == before
    }
}
