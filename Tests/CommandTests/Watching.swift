import Foundation
import Testing

/// A running `passconduit watch`, in its own home with unsigned passes to send.
final class Watching {
    let home: Home
    let program: Program
    private var process: Process?
    private var runs = 0
    private var parsed: (output: String, added: [Int]) = ("", [])

    init() throws {
        home = try Home(named: "watch")
        program = Program(home: home)
        try home.write(Data(Watching.maker.utf8), to: "make.py")
    }

    deinit {
        if let process, process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        home.remove()
    }

    /// Makes `mail/1`, `pass/1.pkpass` and so on, each with a pass of this serial number, and
    /// `mbox/1`, a mail in mbox form.
    func make(_ numbers: ClosedRange<Int>) throws {
        try shell("python3 make.py \(numbers.lowerBound) \(numbers.upperBound)")
    }

    func shell(_ line: String) throws {
        let result = try program.shell("set -e; " + line)
        try #require(result.status == 0, "\(line): \(result.errors)")
    }

    /// Starts watching, and discards the output of an earlier run.
    func start(_ arguments: String..., by command: [String] = []) throws {
        runs += 1
        let output = try home.write(Data(), to: "output\(runs)")
        let errors = try home.write(Data(), to: "errors\(runs)")
        let words = ["watch", "--json", "--accept", "unsigned"] + arguments
        var program = program
        if let first = command.first {
            program = Program(first, home: home, environment: ["PROGRAM": program.path])
        }
        process = try program.start(
            command.dropFirst() + words, output: FileHandle(forWritingTo: output),
            errors: FileHandle(forWritingTo: errors))
    }

    var pid: Int32 { process?.processIdentifier ?? 0 }

    /// The output since the start, in complete lines only.
    var output: String { contents("output\(runs)") }
    var errors: String { contents("errors\(runs)") }

    private func contents(_ name: String) -> String {
        let data = FileManager.default.contents(atPath: home.path(name)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// The serial numbers of the passes that were reported as added, in order.
    var added: [Int] {
        let output = output
        if parsed.output != output { parsed = (output, Watching.added(output)) }
        return parsed.added
    }

    private static func added(_ output: String) -> [Int] {
        output.split(separator: "\n").compactMap { line in
            let record = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard record?["import"] as? String == "added",
                let pass = record?["pass"] as? [String: Any],
                let serial = pass["serialNumber"] as? String
            else { return nil }
            return Int(serial)
        }
    }

    /// The serial numbers of the passes in the library.
    var library: [Int] {
        get throws {
            try program.run(["list", "--json"]).records.compactMap { record in
                (record["pass"] as? [String: Any])?["serialNumber"] as? String
            }.compactMap(Int.init).sorted()
        }
    }

    /// Waits for a condition that will soon be true.
    func wait(
        for what: String, _ location: SourceLocation = #_sourceLocation, until isSo: () -> Bool
    ) throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while !isSo() {
            try #require(
                ContinuousClock.now < deadline, "no \(what); \(output) \(errors)",
                sourceLocation: location)
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    /// Waits until these passes, and no others, are reported as added.
    func wait(forPasses serials: [Int], _ location: SourceLocation = #_sourceLocation) throws {
        try wait(for: "\(serials)", location) { added.count >= serials.count }
        #expect(added.sorted() == serials, sourceLocation: location)
    }

    /// Sends a signal and returns the exit code, or the number of the signal that ended the
    /// program.
    func end(by signal: Int32 = SIGTERM) throws -> Int32 {
        let process = try #require(process)
        kill(process.processIdentifier, signal)
        try wait(for: "end") { !process.isRunning }
        return process.terminationStatus
    }

    private static let maker = """
        import base64, io, json, os, sys, zipfile
        for folder in ("mail", "mbox", "pass"): os.makedirs(folder, exist_ok=True)
        for number in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
            archive = io.BytesIO()
            with zipfile.ZipFile(archive, "w") as file:
                file.writestr("pass.json", json.dumps({
                    "formatVersion": 1, "passTypeIdentifier": "pass.com.example.ticket",
                    "serialNumber": str(number), "teamIdentifier": "A1B2C3D4E5",
                    "organizationName": "Example", "description": "Ticket", "generic": {}}))
            mail = (f"Subject: {number}\\nContent-Type: application/vnd.apple.pkpass\\n"
                "Content-Transfer-Encoding: base64\\n\\n"
                + base64.encodebytes(archive.getvalue()).decode())
            open(f"mail/{number}", "w").write(mail)
            open(f"mbox/{number}", "w").write("From a Tue May  7 10:00:00 2024\\n" + mail + "\\n")
            open(f"pass/{number}.pkpass", "wb").write(archive.getvalue())
        """
}
