import Foundation

/// The measured programs and the references.
struct Programs {
    /// The folder for files made for the benchmark.
    let folder: URL

    /// The build folder of this package.
    private var built: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    func built(_ name: String) -> String { built.appendingPathComponent(name).path }

    func reference(_ name: String) -> String {
        folder.appendingPathComponent("references/\(name)").path
    }

    /// Compiles the references. One that fails to compile is missing in the table.
    func compile() throws {
        for place in ["references", "unpacked"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(place), withIntermediateDirectories: true)
        }
        let references = folder.appendingPathComponent("references")
        let alone = ["-march=native", "-static"]
        for (name, source, flags) in [
            ("read", ReadingSources.read, alone), ("lines", ReadingSources.lines, alone),
            ("folder", ReadingSources.folder, alone),
            ("verification", VerificationSource.text, ["-lzip", "-lcrypto"]),
            ("pass-maker", PassMakerSource.text, ["-lzip", "-lcrypto"]),
        ] {
            let file = references.appendingPathComponent("\(name).c")
            let isKept = (try? String(contentsOf: file, encoding: .utf8)) == source
            if isKept, FileManager.default.fileExists(atPath: reference(name)) { continue }
            try Data(source.utf8).write(to: file)
            let words = ["cc", "-O3", file.path, "-o", reference(name)] + flags
            do {
                _ = try Child(words, in: folder)
            } catch {
                Self.tell("\(name): \(error)")
            }
        }
        try Data(ReadingSources.gmime.utf8).write(to: URL(filePath: reference("gmime.py")))
        try Data(ListSource.text.utf8).write(to: URL(filePath: reference("list.py")))
        try Data(SigningSources.sign.utf8).write(to: URL(filePath: reference("sign.py")))
        try Data(SigningSources.unpack.utf8).write(to: URL(filePath: reference("unpack.py")))
    }

    func makePasses(_ count: Int, in place: String, root: String) throws -> Piece.Contents {
        try make(count, in: place, root: root, pictures: 40_000)
        return Piece.Contents(passes: count)
    }

    /// Makes a library of newly made passes, which are then deleted.
    func makeLibrary(_ count: Int, in place: String, root: String) throws -> Piece.Contents {
        let passes = "\(place).passes"
        defer { try? FileManager.default.removeItem(atPath: passes) }
        try make(count, in: passes, root: root, pictures: 2000)
        _ = try Child(
            [
                built("passconduit"), "import", "--library", place, "--trust-root", root, passes,
            ], in: folder)
        return Piece.Contents(passes: count)
    }

    private func make(_ count: Int, in place: String, root: String, pictures: Int) throws {
        try? FileManager.default.removeItem(atPath: place)
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        try compile()
        _ = try Child(
            [reference("pass-maker"), root, "1", "\(pictures)", place, "\(count)"], in: folder)
    }

    static func tell(_ words: String) {
        FileHandle.standardError.write(Data("passconduit-bench: \(words)\n".utf8))
    }
}
