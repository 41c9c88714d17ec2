import Foundation
import Testing

/// Checks the catalogues with gettext's own programs.
@Suite("Every text of the program is in every catalogue")
struct CataloguesTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let languages = ["ko", "pt", "pt_BR", "ru"]

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

    @Test("every text is translated, and the catalogues are valid", arguments: languages)
    func complete(language: String) throws {
        let result = try shell(
            """
            texts=$(mktemp); trap 'rm "$texts"' EXIT
            grep -rlE --include='*.swift' '(localized|counted|Phrase)\\(' Sources/[A-Z]* | LC_ALL=C sort |
                xgettext --files-from=- --language=C --from-code=UTF-8 --keyword --keyword=localized:1 \\
                    --keyword=counted:1,2 --keyword=Phrase:1 --output="$texts" 2> /dev/null
            for text in Expired "removed" "{count} pass"; do
                grep -qxF "msgid \\"$text\\"" "$texts"
            done
            msgcmp desktop/po/\(language).po "$texts"
            LC_ALL=C msgfmt --check --statistics --output-file=/dev/null desktop/po/\(language).po
            """)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasSuffix(" translated messages.\n"))
    }

    @Test(
        "the desktop files are translated too",
        arguments: [
            ("org.passconduit.Open.desktop", ["GenericName[", "Comment[", "Keywords["], "]="),
            (
                "org.passconduit.Passconduit.desktop", ["GenericName[", "Comment[", "Keywords["],
                "]="
            ),
            ("mime/passconduit.xml", ["<comment xml:lang=\""], "\">"),
        ])
    func desktop(file: String, keys: [String], end: String) throws {
        let path = Self.package.appendingPathComponent("desktop/\(file)")
        let text = try String(contentsOf: path, encoding: .utf8)
        for language in Self.languages {
            // AppStream uses language tags; all other files use locale names.
            let names = [language, language.replacing("_", with: "-")]
            for key in keys {
                #expect(names.contains { text.contains("\(key)\($0)\(end)") }, "\(key)\(language)")
            }
        }
    }

    @Test("every text of the AppStream metadata is translated", arguments: languages)
    func metainfo(language: String) throws {
        let path = Self.package.appendingPathComponent(
            "desktop/org.passconduit.Passconduit.metainfo.xml")
        let text = try String(contentsOf: path, encoding: .utf8)
        let tag = language.replacing("_", with: "-")
        for element in ["summary", "p", "li", "caption"] {
            let originals = text.ranges(of: "<\(element)>").count
            #expect(originals > 0)
            #expect(text.ranges(of: "<\(element) xml:lang=\"\(tag)\">").count == originals)
        }
    }

    @Test("translations have the same placeholders", arguments: languages)
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

    /// Buttons that are never shown together may have the same letter.
    private static let windows = [
        [
            ["_Cancel", "_Close"], ["_Add", "_Add…", "_Replace", "Sho_w in Library"], ["Add A_ll"],
            ["_Back of the pass", "_Front of the pass"], ["_Show Barcode"],
        ],
        [["Add Any_way"], ["_Do Not Add"]], [["_Save"], ["_Cancel"]], [["_Select"], ["_Cancel"]],
        [
            ["_Undo", "Show the _Newest"], ["_Mend the Library"],
            ["_Back of the pass", "_Front of the pass"], ["_Show Barcode"],
        ],
    ]

    @Test("the buttons of a window have distinct access keys", arguments: ["en"] + languages)
    func letters(language: String) throws {
        var texts: [String: String] = [:]
        if language != "en" {
            let lines = try shell("msgcat --no-wrap desktop/po/\(language).po").output
            let pairs = lines.matches(of: /msgid "(.*)"\nmsgstr "(.*)"/)
            for pair in pairs { texts[String(pair.1)] = String(pair.2) }
        }
        func letter(_ button: String) -> Character? {
            let text = texts[button] ?? button
            return text.firstIndex(of: "_").map { text[text.index(after: $0)] }
                .flatMap { $0.lowercased().first }
        }
        for window in Self.windows {
            for (index, group) in window.enumerated() {
                for others in window[..<index] {
                    let taken = Set(others.compactMap(letter))
                    for button in group {
                        let own = letter(button)
                        #expect(own != nil)
                        #expect(own.map(taken.contains) == false, "\(button) \(others)")
                    }
                }
            }
        }
    }

    /// String literals of two words in files that print, without their placeholders: each text of
    /// the program must be in the catalogues.
    @Test(
        "no text is printed without a translation",
        arguments: [
            "PassCommands/Output", "PassCommands/Opening", "PassCommands/Watching",
            "PassCommands/Fetching", "PassPresentation", "PassSession", "DesktopIntegration",
            "PassViewer",
        ])
    func spoken(folder: String) throws {
        // A text with a line feed takes several lines.
        let known = try shell("msgcat --no-wrap desktop/po/ko.po").output
            .replacing("\"\n\"", with: "").matches(of: /msgid(?:_plural)? "(.*)"/)
            .map { $0.1.replacing(/\{[a-z]+\}/, with: "{}") }
        let place = Self.package.appendingPathComponent("Sources/\(folder)")
        var count = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: place.path)
        // Except help texts and `--version --verbose`.
        where file.hasSuffix(".swift") && !file.hasSuffix("Arguments.swift")
            && !Self.silent.contains(file)
        {
            let source = try String(contentsOf: place.appendingPathComponent(file), encoding: .utf8)
                .replacing(/(?m)^ *\/\/.*$/, with: "").replacing(/"\s*\+ "/, with: "")
                .replacing(/abstract: "[^"]*"/, with: "")
            for literal in source.matches(of: /"((?:[^"\\\n]|\\.)*)"/) {
                let text = literal.1
                    .replacing(/\\\([^()]*(?:\([^()]*\)[^()]*)*\)/, with: "{}")
                    .replacing(/\{[a-z]+\}/, with: "{}")
                guard text.contains(/[a-z]{2,} [a-z]{2,}/), !text.hasPrefix("passconduit ") else {
                    continue
                }
                count += 1
                #expect(known.contains(text), "\(file): \(text)")
            }
        }
        #expect(count > 0)
    }

    private static let silent = ["ProtectionLines.swift", "FetchPermissions.swift"]
}
