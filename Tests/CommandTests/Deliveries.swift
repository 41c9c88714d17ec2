import Foundation
import PassFixtures
import Testing

/// A mail system with many messages, simulated in Python: `deliveries.py` documents its verbs.
struct Deliveries {
    /// The outcome for the messages. The verb determines which fields are set.
    struct Outcome: Decodable {
        /// The number of deliveries by exit code, or by signal as a negative number.
        let statuses: [String: Int]?
        /// The exit codes in order.
        let codes: [Int32]?
        /// The serial numbers of the passes in the library, sorted.
        let stored: [Int]?
        /// Lines on standard error, in any order; at most twenty.
        let errors: [String]
        /// The largest size of SQLite's log, in bytes.
        let log: Int?
        let whole: Bool?
        /// The largest number of messages waiting in a spool.
        let kept: Int?
        /// The number of message files and temporary files left over where there should be none.
        let left: Int?
        /// Peak memory at the beginning and at the end, in KiB, of deliveries without a pass.
        let plain: [Int]?
        /// The same for deliveries with a pass.
        let passes: [Int]?
    }

    let home: Home
    /// A prefix of the command line, for example to run it in its own mount namespace.
    var prefix: [String] = []

    /// The folder of messages: `0.eml` and so on, each with a pass whose serial number is that
    /// number.
    static var folder: URL { get throws { try made.get() } }

    static let count = 250

    static func mail(_ number: Int) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent("\(number).eml"))
    }

    /// Arguments that specify the authority of the passes.
    static var trust: [String] {
        get throws { ["--trust-root", try folder.appendingPathComponent("authority.pem").path] }
    }

    /// Runs one of the verbs of the script.
    func run(
        _ verb: String, _ numbers: Int..., library: String, options: [String] = []
    ) throws -> Outcome {
        let temporary = home.path("temporary files")
        try FileManager.default.createDirectory(
            atPath: temporary, withIntermediateDirectories: true)
        let deliver = Program("passconduit-deliver", home: home).path
        var words = prefix + ["python3", Self.script, verb, deliver, try Self.folder.path]
        words += [home.path(library)] + numbers.map(String.init)
        if !options.isEmpty { words += ["--"] + options }
        let python = Program("/usr/bin/env", home: home, environment: ["TMPDIR": temporary])
        let result = try python.run(words)
        try #require(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(Outcome.self, from: Data(result.output.utf8))
    }

    private static let script = Program.package
        .appendingPathComponent("Tests/CommandTests/deliveries.py").path

    /// A quarter of the passes are about as large as real ones.
    private static let made = Result {
        let folder = try fixtureFolder().appendingPathComponent("deliveries")
        let home = try Home(named: "makes-passes")
        defer { home.remove() }
        let maker = try PassMaker(type: "pass.example.post")
        let recipes = (0..<count).map { number in
            var recipe = PassRecipe("\(number)")
            recipe.type = "pass.example.post"
            recipe.organization = "Post"
            recipe.description = "Parcel \(number)"
            recipe.picture = number.isMultiple(of: 4) ? 40_000 : 100
            return recipe
        }
        try maker.make(recipes, in: home.folder)
        let result = try Program("/usr/bin/env", home: home)
            .run(["python3", script, "mail", home.folder.path, folder.path])
        try #require(result.status == 0, "the mail could not be made: \(result.errors)")
        try FileManager.default.copyItem(
            atPath: maker.authority, toPath: folder.appendingPathComponent("authority.pem").path)
        return folder
    }
}

/// Whether file systems can be mounted here, in a private namespace.
enum Mounts {
    static let prefix = ["unshare", "-m"]

    /// Mounts a disk of 4 MiB at a folder.
    static func prefix(mounting folder: String) -> [String] {
        prefix + ["sh", "-ec", "mount -t tmpfs -o size=4m none \(folder); exec \"$@\"", "sh"]
    }

    static let arePossible: Bool = {
        guard let home = try? Home(named: "mounts") else { return false }
        defer { home.remove() }
        let result = try? Program("/usr/bin/env", home: home)
            .run(prefix + ["mount", "-t", "tmpfs", "none", home.folder.path])
        return result?.status == 0
    }()

    static let reason: Comment = "it takes root, or a container that may mount"
}
