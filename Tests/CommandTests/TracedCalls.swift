import Foundation

/// The system calls with which a program creates, renames, syncs and removes files, traced by
/// strace.
struct TracedCalls {
    struct Call {
        let place: Int
        let name: String
        /// The descriptor, if the call is on an open file.
        let file: Int?
        /// The absolute path; for a rename, the new one.
        let path: String
        /// The old path of a rename.
        let source: String

        var syncs: Bool { name == "fsync" || name == "fdatasync" }
        var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

        func renames(_ part: String, to other: String) -> Bool {
            name.hasPrefix("rename") && source.contains(part)
                && (other.isEmpty || path.contains(other))
        }
    }

    private let calls: [Call]

    var count: Int { calls.count }

    static let canTrace: Bool = {
        guard let home = try? Home() else { return false }
        defer { home.remove() }
        return (try? Program(home: home).shell("strace -o trace true"))?.status == 0
    }()

    /// Runs a program with shell arguments.
    init(_ program: Program, _ words: String) throws {
        let traced = [
            "fsync,fdatasync,write,pwrite64", "rename,renameat,renameat2",
            "mkdir,mkdirat,unlink,unlinkat",
        ].joined(separator: ",")
        let trace = try program.shell(
            """
            strace -f -y -qq -s 0 -e signal=none -e trace=\(traced) -o trace "$PROGRAM" \(words) \
                > said 2>&1
            cat trace
            """)
        let folder = program.home.folder.resolvingSymlinksInPath().path
        calls = TracedCalls.finished(trace.lines).enumerated().compactMap { place, line in
            Call(line, at: place, in: folder)
        }
    }

    func first(where isWanted: (Call) -> Bool) -> Call? { calls.first(where: isWanted) }
    func last(where isWanted: (Call) -> Bool) -> Call? { calls.last(where: isWanted) }
    func filter(_ isWanted: (Call) -> Bool) -> [Call] { calls.filter(isWanted) }

    func isSynced(_ path: String, in places: Range<Int>) -> Bool {
        calls.contains { $0.syncs && $0.path == path && places.contains($0.place) }
    }

    /// Files created or renamed in folders that were not synced afterwards.
    func unsyncedNames(before end: Int, leavingOut names: Set<String>) -> [String] {
        calls.filter { call in
            call.place < end && (call.name.hasPrefix("mkdir") || call.name.hasPrefix("rename"))
                && !names.contains(URL(fileURLWithPath: call.path).lastPathComponent)
                && !isSynced(call.folder, in: call.place..<end)
        }.map(\.path)
    }

    /// The successful calls, in the order in which they ended. strace splits a call into two lines
    /// if another thread makes a call at the same time.
    private static func finished(_ lines: [String]) -> [String] {
        var begun: [Substring: String] = [:]
        return lines.compactMap { line in
            let process = line.prefix { $0.isNumber }
            let call = line.dropFirst(process.count).drop { $0 == " " }
            if let end = call.range(of: " <unfinished ...>") {
                begun[process] = String(call[..<end.lowerBound])
                return nil
            }
            guard let start = call.range(of: " resumed>") else { return String(call) }
            return (begun.removeValue(forKey: process) ?? "") + call[start.upperBound...]
        }.filter { !$0.contains("= -1 ") }
    }
}

extension TracedCalls.Call {
    /// Parses a line such as `renameat(5</spool>, "tmp/a", 5</spool>, "new/a") = 0`.
    fileprivate init?(_ line: String, at place: Int, in folder: String) {
        guard let (_, name, rest) = line.wholeMatch(of: /(\w+)\((.*)/)?.output else { return nil }
        var paths: [String] = []
        var files: [(number: Int, path: String)] = []
        for match in rest.matches(of: /(?:(\d+|AT_FDCWD)<([^>]*)>)|"([^"]*)"/) {
            if let path = match.output.3 {
                let base = files.last?.path ?? folder
                paths.append(path.hasPrefix("/") ? String(path) : "\(base)/\(path)")
            } else if let number = match.output.1, let path = match.output.2 {
                files.append((Int(number) ?? -1, String(path)))
            }
        }
        guard let path = paths.last ?? files.first?.path else { return nil }
        let isOpenFile = ["fsync", "fdatasync", "write", "pwrite64"].contains(name)
        self.place = place
        self.name = String(name)
        file = isOpenFile ? files.first?.number : nil
        self.path = URL(fileURLWithPath: isOpenFile ? files.first?.path ?? path : path).path
        source = URL(fileURLWithPath: paths.first ?? path).path
    }
}
