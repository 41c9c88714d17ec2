import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("update exits only after its notifications have been shown")
struct UpdateNotificationTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("update-notification")
    }

    /// At the end of a service, systemd kills all its child processes.
    @Test("even if the desktop is slow", arguments: [1, 8])
    func shown(count: Int) async throws {
        let notifications = Notifications(holder.home)
        try notifications.addStandIn(taking: "0.3")
        try await LoopbackServer.run { server in
            let serials = (1...count).map(String.init)
            try holder.add(serials.map { PassHolder.recipe($0, from: server.url()) })
            for serial in serials {
                let newer = PassHolder.recipe(serial, from: server.url(), gate: "7", hours: 1)
                server.serve(
                    type: PassMaker.type, serial: serial, .pass(try holder.maker.make(newer)))
            }
            var program = holder.program
            program.environment["PATH"] = "\(holder.home.path("programs")):\(Program.searchPath)"
            program.environment["ROOT"] = holder.maker.authority
            let result = try program.shell(
                """
                "$PROGRAM" update --notify --allow-http --allow-private --trust-root "$ROOT" >&2
                ls notifications
                """)
            // Five notifications, and one with the number of the others.
            let shown = result.lines.filter { $0.hasPrefix("shown") }
            #expect(shown.count == min(count, 6), "\(result.errors)")
            #expect(result.lines.count == shown.count)
            let bodies = try notifications.shown(shown.count).compactMap(\.last)
            #expect(bodies.contains("Example Railways, Ticket: Gate changed to 7"))
        }
    }

    @Test("it does not wait for a desktop that does not respond")
    func silent() async throws {
        try Notifications(holder.home).addStandIn(taking: "600")
        try await LoopbackServer.run { server in
            try holder.add([PassHolder.recipe("1", from: server.url())])
            let newer = PassHolder.recipe("1", from: server.url(), gate: "7", hours: 1)
            server.serve(type: PassMaker.type, serial: "1", .pass(try holder.maker.make(newer)))
            var program = holder.program
            program.environment["PATH"] = "\(holder.home.path("programs")):\(Program.searchPath)"
            program.environment["ROOT"] = holder.maker.authority
            // The stand-in keeps the inherited output open, which must not delay the exit.
            let result = try program.shell(
                """
                timeout 60 "$PROGRAM" update --notify --allow-http --allow-private \
                    --trust-root "$ROOT" >&2
                echo $?
                for child in $(pgrep -f "^sleep 600$"); do
                    grep -qz "^HOME=$HOME$" /proc/$child/environ && kill $child
                done
                """)
            #expect(result.lines == ["0"], "\(result.errors)")
        }
    }
}
