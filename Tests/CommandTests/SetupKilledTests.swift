import Foundation
import Testing

@Suite("setup that is killed before any change that it makes can be done again, and undone")
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

    /// Runs the program, and kills it, or a program that it has started, at its nth change of the file
    /// system.
    private func run(_ arguments: String, killedAt turn: Int) throws -> Program.Result {
        let calls = "mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,ftruncate,fsync"
        return try program.shell(
            """
            strace -f -o /dev/null -e trace=\(calls) -e inject=\(calls):signal=KILL:when=\(turn) \
            "$PROGRAM" \(arguments)
            """)
    }

    @Test(
        "at every one", .enabled(if: canTrace, "strace cannot trace here"), .timeLimit(.minutes(10))
    )
    func killed() throws {
        let before = try desktop.tree()
        var kills = 0
        for turn in 1...200 {
            let result = try run("setup --mailcap", killedAt: turn)
            if turn.isMultiple(of: 2) {
                // Done again, it is as if nothing had been.
                #expect(try program.run(["setup", "--mailcap"]).status == 0)
                #expect(try desktop.defaultEntry() == Desktop.entry)
            }
            let removed = try program.run(["setup", "--remove"])
            #expect(removed.status == 0, "\(turn): \(removed.errors)")
            let after = try desktop.tree()
            #expect(after == before, "\(turn): \(Set(after).symmetricDifference(before))")
            guard result.status != 0, after == before else { break }
            kills += 1
        }
        #expect(kills > 30)
    }

    @Test(
        "while it is undone, too", .enabled(if: canTrace, "strace cannot trace here"),
        .timeLimit(.minutes(10)))
    func removalKilled() throws {
        let before = try desktop.tree()
        var kills = 0
        for turn in 1...200 {
            #expect(try program.run(["setup", "--mailcap"]).status == 0)
            let result = try run("setup --remove", killedAt: turn)
            let removed = try program.run(["setup", "--remove"])
            #expect(removed.status == 0, "\(turn): \(removed.errors)")
            let after = try desktop.tree()
            #expect(after == before, "\(turn): \(Set(after).symmetricDifference(before))")
            guard result.status != 0, after == before else { break }
            kills += 1
        }
        #expect(kills > 30)
    }
}
