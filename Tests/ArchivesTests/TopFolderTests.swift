import Archives
import Bytes
import Foundation
import Testing

@Suite("A folder around all files is recognised, ignoring files that macOS adds")
struct TopFolderTests {
    @Test(
        "the folder around t",
        arguments: [
            ([], nil), (["t"], nil), (["a/t"], "a"), (["./t"], "."), (["a/", "a/t", "a/b/c"], "a"),
            (["t", "a/t"], nil), (["a/t", "b"], nil), (["a/t", "b/t"], nil), (["a/b/t"], nil),
            (["a/u"], nil), (["__MACOSX/a/._t", ".DS_Store", "a/t"], "a"),
            (["a/\u{301}", "a/t"], "a"), (["gr\u{fc}n/a", "gru\u{308}n/t"], nil),
            (["__MACOSX/\u{301}", "a/t"], "a"), (["__MACOSX/t"], nil),
            (["a/.DS_Store", "a/t"], "a"),
        ])
    func folder(names: [String], folder: String?) throws {
        let archive = try ZipArchive(SpooledBytes(try zip(names)))
        let found = archive.topFolder(around: "t")
        #expect(found == folder)
    }

    /// An archive of empty files, written by Python.
    private func zip(_ names: [String]) throws -> [UInt8] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "python3", "-c",
                """
                import io, sys, zipfile
                out = io.BytesIO()
                with zipfile.ZipFile(out, 'w') as z:
                    for name in sys.argv[1:]: z.writestr(name, '')
                sys.stdout.buffer.write(out.getvalue())
                """,
            ] + names
        process.standardOutput = output
        try process.run()
        let bytes = Array(try output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        return bytes
    }
}
