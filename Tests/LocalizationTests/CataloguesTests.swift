import Foundation
import Testing

/// What gettext's own programs say of the catalogues.
@Suite("Every text of the program is in every catalogue")
struct CataloguesTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let languages = ["ko", "pt", "ru"]

    private func shell(_ script: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.currentDirectoryURL = Self.package
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test("translated, and sound", arguments: languages)
    func complete(language: String) throws {
        let result = try shell(
            """
            texts=$(mktemp); trap 'rm "$texts"' EXIT
            grep -rl 'localized("' Sources | LC_ALL=C sort | xgettext --files-from=- --language=C \\
                --from-code=UTF-8 --keyword --keyword=localized:1 --output="$texts"
            grep -q '^msgid "Expired"' "$texts"
            msgcmp desktop/po/\(language).po "$texts"
            LC_ALL=C msgfmt --check --statistics --output-file=/dev/null desktop/po/\(language).po
            """)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasSuffix(" translated messages.\n"))
    }

    @Test(
        "and so is what the desktop is told",
        arguments: [
            ("org.passconduit.Library.desktop", ["GenericName[", "Comment[", "Keywords["], "]="),
            ("org.passconduit.Passconduit.desktop", ["GenericName[", "Comment[", "Keywords["], "]="),
            ("org.passconduit.Passconduit.metainfo.xml", ["<summary xml:lang=\""], "\">"),
            ("mime/passconduit.xml", ["<comment xml:lang=\""], "\">"),
        ])
    func desktop(file: String, keys: [String], end: String) throws {
        let path = Self.package.appendingPathComponent("desktop/\(file)")
        let text = try String(contentsOf: path, encoding: .utf8)
        for language in Self.languages {
            // As AppStream writes them, or all others.
            let names = [language, language.replacing("_", with: "-")]
            for key in keys {
                #expect(names.contains { text.contains("\(key)\($0)\(end)") }, "\(key)\(language)")
            }
        }
    }

    @Test("with the same names for what is filled in", arguments: languages)
    func names(language: String) throws {
        let result = try shell("msgcat --no-wrap desktop/po/\(language).po")
        var expected: Set<Substring> = []
        var count = 0
        for line in result.output.split(separator: "\n") {
            let names = Set(line.matches(of: /\{[a-z]+\}/).map(\.output))
            if line.hasPrefix("msgid ") {
                expected = names
            } else if line.hasPrefix("msgstr") {
                #expect(names == expected, "\(line)")
                count += 1
            }
        }
        #expect(count > 2)
    }
}
