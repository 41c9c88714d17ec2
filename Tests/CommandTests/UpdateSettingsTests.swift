import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("update --off and --mute change what happens to passes without a request")
struct UpdateSettingsTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("update-settings")
    }

    /// The settings of a pass: `u` for automatic updates, `n` for notifications.
    private func settings(_ record: [String: Any]?) -> String {
        ((record?["automaticUpdates"] as? Bool) == true ? "u" : "-")
            + ((record?["notifications"] as? Bool) == true ? "n" : "-")
    }

    /// The settings of all passes, by serial number.
    private func settings() throws -> [String: String] {
        var all: [String: String] = [:]
        for record in try holder.program.run(["list", "--json"]).records {
            let pass = record["pass"] as? [String: Any]
            all[pass?["serialNumber"] as? String ?? ""] = settings(record)
        }
        return all
    }

    private func newer(_ serial: String, from base: String, hours: Double = 1) throws -> Data {
        try holder.maker.make(
            PassHolder.recipe(serial, from: base, gate: "\(Int(hours) + 6)", hours: hours))
    }

    @Test("a pass whose automatic updates are off is checked only if it is named")
    func off() async throws {
        try await LoopbackServer.run { server in
            let base = server.url()
            try holder.add(["1", "2", "3"].map { PassHolder.recipe($0, from: base) })
            server.serve(under: "/v1/passes/") { _ in .status(304) }
            let name = "\(PassMaker.type)/2"
            let result = try holder.program.run(["update", "--off", name])
            #expect(result.status == 0)
            #expect(result.errors == "")
            #expect(result.lines.count == 1)
            #expect(result.lines.first?.hasPrefix("updates off  Pass  ") == true)
            #expect(result.lines.first?.hasSuffix("  \(name)") == true)
            #expect(server.requests.isEmpty)
            for arguments in [["--json"], ["--json", "--all"]] {
                let result = try holder.update(arguments)
                #expect(holder.outcomes(result) == ["1": "unchanged 304", "3": "unchanged 304"])
                #expect(result.records.last?["asked"] as? Int == 2)
            }
            #expect(server.requests(for: PassHolder.path("2")).isEmpty)
            #expect(
                holder.outcomes(try holder.update(["--json", name])) == ["2": "unchanged 304"])
            #expect(try holder.program.run(["update", "--on", name]).lines.count == 1)
            #expect(holder.outcomes(try holder.update(["--json", "--all"])).count == 3)
        }
    }

    @Test("without names they are off for all passes: the timer asks nobody and says nothing")
    func offForAll() async throws {
        try await LoopbackServer.run { server in
            try holder.add(["1", "2"].map { PassHolder.recipe($0, from: server.url()) })
            server.serve(under: "/v1/passes/") { _ in .status(304) }
            #expect(
                try holder.program.run(["update", "--off"]).output == "updates off  all passes\n")
            for arguments in [[], ["--all"], ["--notify"]] {
                let result = try holder.update(arguments)
                #expect(result.status == 0)
                #expect(result.output + result.errors == "")
            }
            let summary = try holder.update(["--json"])
            #expect(summary.records.map { $0["record"] as? String } == ["updateSummary"])
            #expect(summary.records.last?["asked"] as? Int == 0)
            #expect(server.requests.isEmpty)
            let told = try holder.program.onTerminal(["update"])
            #expect(told.status == 0)
            #expect(
                told.output.contains(
                    "automatic updates of all passes are off; to turn them on: "
                        + "passconduit update --on"))
            let shown = try holder.program.run(["show", "1"]).output
            #expect(shown.contains("Automatic updates  off for all passes\n"))
            #expect(holder.outcomes(try holder.update(["--json", "1"])) == ["1": "unchanged 304"])
            // The settings of the passes stay as they are.
            #expect(try settings() == ["1": "un", "2": "un"])
            let on = try holder.program.run(["update", "--on", "--json"])
            #expect(
                on.output
                    == #"{"version":1,"record":"librarySettings","automaticUpdates":true}"# + "\n")
            #expect(holder.outcomes(try holder.update(["--json", "--all"])).count == 2)
        }
    }

    @Test("list, show and the changing command have them in records, and show in words")
    func records() throws {
        try holder.add(["1", "2"].map { PassHolder.recipe($0, from: "https://example.com") })
        #expect(try settings() == ["1": "un", "2": "un"])
        let plain = try holder.program.run(["show", "1"]).output
        #expect(!plain.contains("Automatic updates"))
        #expect(!plain.contains("Notifications"))
        let changed = try holder.program.run(["update", "--json", "--mute", "2", "1"]).records
        #expect(changed.map { $0["record"] as? String } == ["libraryPass", "libraryPass"])
        #expect(changed.map { $0["id"] as? Int } == [2, 1])
        #expect(changed.map(settings) == ["u-", "u-"])
        #expect(try holder.program.run(["update", "--off", "1"]).status == 0)
        #expect(try settings() == ["1": "--", "2": "u-"])
        #expect(settings(try holder.program.run(["show", "--json", "1"]).records.first) == "--")
        let shown = try holder.program.run(["show", "1"]).output
        #expect(shown.contains("Automatic updates  off\n"))
        #expect(shown.contains("Notifications      off\n"))
        #expect(try holder.program.run(["update", "--unmute", "1"]).lines.count == 1)
        #expect(try settings() == ["1": "-n", "2": "u-"])
    }

    @Test("they stay with new versions and go with the pass")
    func kept() async throws {
        try await LoopbackServer.run { server in
            try holder.add([PassHolder.recipe("1", from: server.url())])
            _ = try holder.program.run(["update", "--off", "1"])
            _ = try holder.program.run(["update", "--mute", "1"])
            server.serve(
                type: PassMaker.type, serial: "1", .pass(try newer("1", from: server.url())))
            #expect(holder.outcomes(try holder.update(["--json", "1"])) == ["1": "updated 200"])
            #expect(try settings() == ["1": "--"])
            try holder.add([PassHolder.recipe("1", from: server.url(), gate: "8", hours: 2)])
            #expect(try holder.gate("1") == "8")
            #expect(try settings() == ["1": "--"])
            _ = try holder.program.run(["remove", "--yes", "1"])
            try holder.add([PassHolder.recipe("1", from: server.url())])
            #expect(try settings() == ["1": "un"])
        }
    }

    @Test("a damaged index is rebuilt with them")
    func rebuilt() throws {
        try holder.add(["1", "2"].map { PassHolder.recipe($0, from: "https://example.com") })
        _ = try holder.program.run(["update", "--mute", "2"])
        _ = try holder.program.run(["update", "--off"])
        try holder.change("UPDATE versions SET verdict = 'perhaps'")
        #expect(try holder.program.run(["update", "--off", "1"]).status == 2)
        let check = try holder.program.run(["library", "check", "--mend", "--json"])
        #expect(check.records.first?["code"] as? String == "damaged-index")
        #expect(try settings() == ["1": "un", "2": "u-"])
        #expect(try holder.update(["--json"]).records.last?["asked"] as? Int == 0)
    }

    @Test("changes of a muted pass are no notification, by update or by watch")
    func muted() async throws {
        let notifications = Notifications(holder.home)
        try notifications.addStandIn()
        try await LoopbackServer.run { server in
            let serials = ["1", "2", "3"]
            try holder.add(serials.map { PassHolder.recipe($0, from: server.url()) })
            for serial in serials {
                server.serve(
                    type: PassMaker.type, serial: serial,
                    .pass(try newer(serial, from: server.url())))
            }
            _ = try holder.program.run(["update", "--mute", "1", "3"])
            var program = holder.program
            program.environment["PATH"] = "\(holder.home.path("programs")):\(Program.searchPath)"
            let result = try program.run(
                ["update", "--notify", "--trust-root", holder.maker.authority]
                    + PassHolder.onLoopback)
            #expect(result.lines.count == 3, "\(result.errors)")
            #expect(
                try notifications.shown(1).map(\.last)
                    == ["Example Railways, Ticket: Gate changed to 7"])

            _ = try program.run(["update", "--unmute", "3"])
            try holder.home.write(Data(), to: "Downloads/empty")
            for serial in serials {
                try holder.home.write(
                    try newer(serial, from: server.url(), hours: 2),
                    to: "Downloads/\(serial).pkpass")
            }
            let output = try holder.home.write(Data(), to: "output")
            let process = try program.start(
                ["watch", "--notify", "--trust-root", holder.maker.authority, "Downloads"],
                output: FileHandle(forWritingTo: output))
            // It shows one for each of the others, before it ends.
            let bodies = try notifications.shown(3).compactMap(\.last)
            process.terminate()
            process.waitUntilExit()
            #expect(
                try String(contentsOf: output, encoding: .utf8).split(separator: "\n").count == 3)
            #expect(bodies.filter { $0.hasSuffix("Gate changed to 8") }.count == 2)
            #expect(try notifications.shown(3).count == 3)
        }
    }

    @Test("two processes that change settings during an update lose nothing")
    func together() async throws {
        try await LoopbackServer.run { server in
            let serials = (1...20).map(String.init)
            try holder.add(serials.map { PassHolder.recipe($0, from: server.url()) })
            for serial in serials {
                server.serve(
                    type: PassMaker.type, serial: serial,
                    .pass(try newer(serial, from: server.url())))
            }
            let names = serials.map { "\(PassMaker.type)/\($0)" }
            let update = try holder.program.start(
                ["update", "--trust-root", holder.maker.authority] + PassHolder.onLoopback)
            let off = try holder.program.start(["update", "--off"] + names.prefix(15))
            let mute = try holder.program.start(["update", "--mute"] + names.suffix(15))
            for process in [off, mute, update] {
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            var expected: [String: String] = [:]
            for (index, serial) in serials.enumerated() {
                expected[serial] = (index < 15 ? "-" : "u") + (index < 5 ? "n" : "-")
            }
            #expect(try settings() == expected)
            // Those that were off in time were not asked.
            _ = try holder.update(["--json"] + names)
            for serial in serials { #expect(try holder.gate(serial) == "7") }
        }
    }

    @Test(
        "options that make no sense together are refused",
        arguments: [
            ["--off", "--all"], ["--off", "--notify"], ["--on", "--allow-http", "1"],
            ["--mute", "--max-size", "1", "1"], ["--off", "--on", "1"], ["--mute"], ["--unmute"],
        ])
    func refused(arguments: [String]) throws {
        try holder.add([PassHolder.recipe("1", from: "https://example.com")])
        let result = try holder.program.run(["update"] + arguments)
        #expect(result.status == 64)
        #expect(result.output == "")
        #expect(try settings() == ["1": "un"])
    }

    @Test("an unknown name changes nothing")
    func unknown() throws {
        let without = try holder.program.run(["update", "--off"])
        #expect(without.status == (try holder.update().status))
        #expect(without.errors.contains("there is no library"))
        try holder.add([PassHolder.recipe("1", from: "https://example.com")])
        let result = try holder.program.run(["update", "--off", "1", "nobody"])
        #expect(result.status == 1)
        #expect(result.output == "")
        #expect(try settings() == ["1": "un"])
    }
}
