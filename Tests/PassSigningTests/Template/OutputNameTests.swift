import PassSigning
import Testing

@Suite("Names of files are safe, and differ for different values")
struct OutputNameTests {
    @Test(
        "values are encoded",
        arguments: [
            ("1", "1.pkpass"), ("A-1_b.c", "A-1_b.c.pkpass"), ("a b", "a b.pkpass"),
            ("Müller", "Müller.pkpass"), ("東京", "東京.pkpass"),
            ("a/b", "a%2Fb.pkpass"), ("a%2Fb", "a%252Fb.pkpass"), ("..", "%2E..pkpass"),
            (".a", "%2Ea.pkpass"), ("-rf", "%2Drf.pkpass"), ("a\\b", "a%5Cb.pkpass"),
            ("a\n\0\u{7F}", "a%0A%00%7F.pkpass"), ("a\u{202E}b", "a%E2%80%AEb.pkpass"),
            ("e\u{301}", "e%CC%81.pkpass"), ("*?:\"<>|", "%2A%3F%3A%22%3C%3E%7C.pkpass"),
            ("😀", "%F0%9F%98%80.pkpass"),
        ])
    func serialNumbers(serial: String, name: String) throws {
        let found = try OutputName.serialNumber.name(
            for: TemplateRow(line: 2, [:]), serialNumber: serial)
        // Compared byte by byte.
        #expect(Array(found.utf8) == Array(name.utf8))
    }

    @Test("patterns take columns and the serial number")
    func patterns() throws {
        let row = TemplateRow(line: 2, ["section": "A/1", "serialNumber": "x"])
        for (pattern, name) in [
            ("{{section}}-{{serialNumber}}.pkpass", "A%2F1-7.pkpass"),
            ("{{none?}}{{ serialNumber }}", "7"), ("pass {{serialNumber}}", "pass 7"),
        ] {
            #expect(try OutputName(pattern).name(for: row, serialNumber: "7") == name)
        }
        #expect(throws: RowFault.missing(column: "none")) {
            try OutputName("{{none}}").name(for: row, serialNumber: "7")
        }
        #expect(throws: RowFault.noName) {
            try OutputName("{{none?}}").name(for: row, serialNumber: "7")
        }
    }

    @Test("the length is limited")
    func length() throws {
        let name = try OutputName("{{serialNumber}}")
        let row = TemplateRow(line: 2, [:])
        let longest = String(repeating: "x", count: 200)
        #expect(try name.name(for: row, serialNumber: longest) == longest)
        for serial in [longest + "x", "." + longest.dropFirst()] {
            #expect(throws: RowFault.nameTooLong(limit: 200)) {
                try name.name(for: row, serialNumber: serial)
            }
        }
    }

    @Test(
        "unsafe patterns are errors",
        arguments: [
            ("", .noPlaceholder), ("a.pkpass", .noPlaceholder), ("a/{{id}}", .slash),
            ("{{id}}\n", .controlCharacter), (".{{id}}", .leadingDot),
            ("{{id", .placeholder(.notClosed)), ("{{id:number}}", .placeholder(.kindInText("id"))),
        ] as [(String, OutputNameError)])
    func errors(pattern: String, error: OutputNameError) {
        #expect(throws: error) { try OutputName(pattern) }
    }
}
