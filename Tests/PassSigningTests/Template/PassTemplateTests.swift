import Foundation
import PassSigning
import Testing

@Suite("A template becomes the files of a row's pass")
struct PassTemplateTests {
    private func template(
        _ members: String, _ files: [String: [UInt8]] = [:]
    ) throws -> PassTemplate {
        let pass = #"{"serialNumber": "{{id}}", "passTypeIdentifier": "pass.x", \#(members)}"#
        return try PassTemplate(
            PassFolder(files.merging(["pass.json": Array(pass.utf8)]) { $1 }))
    }

    private func members(_ members: String, _ row: TemplateRow) throws -> String {
        let files = try template(members).files(for: row)
        let bytes = try #require(files["pass.json"])
        let text = try #require(String(validating: bytes, as: UTF8.self))
        return String(
            text.dropFirst(#"{"serialNumber": "7", "passTypeIdentifier": "pass.x", "#.count))
    }

    @Test(
        "placeholders in JSON",
        arguments: [
            (#""a": "{{x}}"}"#, #""a": "say \"é\"\n\u0001\\"}"#),
            (#""a": "<{{x}}|{{id}}>"}"#, #""a": "<say \"é\"\n\u0001\\|7>"}"#),
            (#""a": "{{n:number}}", "b": "{{ b:boolean }}"}"#, #""a": -1.50, "b": true}"#),
            (#""a": "{{none?}}", "b": 1}"#, #""b": 1}"#),
            (#""a": 1, "b": "{{none?}}"}"#, #""a": 1}"#),
            (#""a": "<{{none?}}>"}"#, #""a": "<>"}"#),
            (#""a": ["{{none?}}", "{{id}}", "{{none:number?}}"]}"#, #""a": [ "7"]}"#),
            (#""a": {"b": {"c": "{{none?}}"}}}"#, #""a": {"b": {}}}"#),
            // Escapes: a pair of braces that is none, and a name.
            (#""a": "\u007b{id}}"}"#, #""a": "\u007b{id}}"}"#),
            (#""a": "{{gr\u00f6\u00dfe}}"}"#, #""a": "L"}"#),
            // A field without value, a barcode without message, a place without coordinates.
            (
                #""a": {"backFields": [{"key": "k", "value": "{{none?}}"}, {"key": "l"}]}}"#,
                #""a": {"backFields": [ {"key": "l"}]}}"#
            ),
            (#""barcodes": [{"message": "{{none?}}", "format": "f"}]}"#, #""barcodes": []}"#),
            (#""a": 1, "barcode": {"message": "{{none?}}"}}"#, #""a": 1}"#),
            (
                #""locations": [{"latitude": 1, "longitude": "{{none:number?}}"}]}"#,
                #""locations": []}"#
            ),
            (#""beacons": [{"proximityUUID": "{{none?}}"}]}"#, #""beacons": []}"#),
            (#""userInfo": {"value": "{{none?}}"}}"#, #""userInfo": {}}"#),
            (#""a": [ ], "b": { } , "c": null }"#, #""a": [ ], "b": { } , "c": null }"#),
        ])
    func json(template: String, result: String) throws {
        let row = TemplateRow(
            line: 2,
            [
                "id": "7", "x": "say \"é\"\n\u{1}\\", "n": "-1.50", "b": "TRUE", "größe": "L",
                "empty": "",
            ])
        let found = try members(String(template.dropLast()), row)
        #expect(found == result)
    }

    @Test("values that look like placeholders stay as they are")
    func values() throws {
        let row = TemplateRow(line: 2, ["id": "7", "x": "{{id}}"])
        #expect(try members(#""a": "{{x}}{{x}}""#, row) == #""a": "{{id}}{{id}}"}"#)
    }

    @Test(
        "only numbers of RFC 8259 are numbers",
        arguments: ["01", "1.", ".5", "+1", "1e", "0x1", "NaN", "1 ", "-", "1,5", "1\n"])
    func numbers(value: String) throws {
        #expect(throws: RowFault.notANumber(column: "n", value: value)) {
            try members(#""a": "{{n:number}}""#, TemplateRow(line: 2, ["id": "7", "n": value]))
        }
    }

    @Test("only true and false are booleans", arguments: ["1", "yes", "tru", "true ", "null"])
    func booleans(value: String) throws {
        #expect(throws: RowFault.notABoolean(column: "b", value: value)) {
            try members(#""a": "{{b:boolean}}""#, TemplateRow(line: 2, ["id": "7", "b": value]))
        }
    }

    @Test("mandatory columns are checked before and in each row")
    func columns() throws {
        let template = try template(#""a": "{{x?}}", "b": "{{y}}", "c": "{{z?}} {{z}}""#)
        #expect(template.columns.mandatory == ["id", "y", "z"])
        #expect(template.columns.optional == ["x"])
        let row = TemplateRow(line: 2, ["id": "7", "z": "", "q": ""])
        #expect(throws: TemplateError.missingColumns(["y"])) { try template.check(row.columns) }
        #expect(throws: TemplateError.missingColumns(["y", "r"])) {
            try template.check(row.columns, namingFilesBy: OutputName("{{q}}{{r}}{{s?}}"))
        }
        #expect(throws: RowFault.missing(column: "y")) { try template.files(for: row) }
        #expect(throws: RowFault.missing(column: "z")) {
            try template.files(for: TemplateRow(line: 2, ["id": "7", "y": "1", "z": ""]))
        }
    }

    @Test("files without placeholders are shared, and a row's image replaces one")
    func shared() throws {
        let png: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
        let template = try template(
            #""a": 1"#,
            [
                "icon.png": png, "en.lproj/pass.strings": Array(#""a" = "b";"#.utf8),
                "de.lproj/pass.strings": Array(#""a" = "{{id}}";"#.utf8),
                "notes.txt": Array("{{x}}".utf8),
                "personalization.json": Array(#"["{{id}}"]"#.utf8),
            ])
        #expect(
            template.shared.keys.sorted() == ["en.lproj/pass.strings", "icon.png", "notes.txt"])
        #expect(
            template.varying == ["pass.json", "de.lproj/pass.strings", "personalization.json"])
        let folder = try TestFolder()
        try folder.write(png + [1], to: "7.png")
        let row = TemplateRow(line: 2, ["id": "7", "icon.png": "7.png"])
        let files = try template.files(for: row, images: ImageFolder(folder.url))
        #expect(files["icon.png"] == png + [1])
        #expect(files["de.lproj/pass.strings"] == Array(#""a" = "7";"#.utf8))
        #expect(files["personalization.json"] == Array(#"["7"]"#.utf8))
        #expect(try template.files(for: row)["icon.png"] == nil)
    }

    @Test("a pass.json without placeholders is shared")
    func noPlaceholders() throws {
        let pass = Array("\u{FEFF}{\"serialNumber\": \"\\u0031\"}".utf8)
        let template = try PassTemplate(PassFolder(["pass.json": pass]))
        #expect(template.shared == ["pass.json": pass])
        let row = TemplateRow(line: 2, [:])
        #expect(try template.files(for: row).isEmpty)
        #expect(try template.serialNumber(for: row) == "1")
        #expect(try template.passTypeIdentifier(for: row) == nil)
    }

    @Test("the serial number and the pass type have their values")
    func identity() throws {
        let pass = #"{"serialNumber": "\u0041-{{id}}", "passTypeIdentifier": "{{type?}}"}"#
        let template = try PassTemplate(PassFolder(["pass.json": Array(pass.utf8)]))
        let row = TemplateRow(line: 2, ["id": "é\"", "type": "pass.y"])
        #expect(try template.serialNumber(for: row) == "A-é\"")
        #expect(try template.passTypeIdentifier(for: row) == "pass.y")
        let marks = "a" + String(repeating: "\u{301}", count: 31)
        #expect(throws: RowFault.longCombiningRun) {
            try template.serialNumber(for: TemplateRow(line: 2, ["id": marks]))
        }
        let optional = try PassTemplate(
            PassFolder(["pass.json": Array(#"{"serialNumber": "{{id?}}"}"#.utf8)]))
        #expect(throws: RowFault.noSerialNumber) {
            try optional.serialNumber(for: TemplateRow(line: 2, [:]))
        }
    }

    @Test(
        "a template that cannot be used is an error",
        arguments: [
            ("", .notJSON(file: "pass.json", line: 1, column: 1)),
            ("{}", .noSerialNumber), ("[]", .noSerialNumber),
            ("{\"serialNumber\": 1}", .noSerialNumber),
            (#"{"serialNumber": "{{x:number}}"}"#, .noSerialNumber),
            ("{\n \"a\": 1,}", .notJSON(file: "pass.json", line: 2, column: 9)),
            (#"{"a": "\u{{x}}"}"#, .notJSON(file: "pass.json", line: 1, column: 8)),
            (#"{"a": "\{{x}}"}"#, .notJSON(file: "pass.json", line: 1, column: 8)),
            (#"{"a": 1} x"#, .notJSON(file: "pass.json", line: 1, column: 10)),
            ("{\n\"a\": {{x}}}", .placeholder(.notQuoted, file: "pass.json", line: 2)),
            ("{{{x}}: 1}", .placeholder(.notQuoted, file: "pass.json", line: 1)),
            ("{\n\n\"{{x}}\": 1}", .placeholder(.inKey, file: "pass.json", line: 3)),
            (#"{"a": "{{x"}"#, .placeholder(.notClosed, file: "pass.json", line: 1)),
            (#"{"a": "{{x}"}"#, .placeholder(.notClosed, file: "pass.json", line: 1)),
            (#"{"a": "{{}}"}"#, .placeholder(.noName, file: "pass.json", line: 1)),
            (#"{"a": "{{ ? }}"}"#, .placeholder(.noName, file: "pass.json", line: 1)),
            (#"{"a": "{{:number}}"}"#, .placeholder(.noName, file: "pass.json", line: 1)),
            (#"{"a": "{{{x}}}"}"#, .placeholder(.noName, file: "pass.json", line: 1)),
            (
                #"{"a": "{{x:nubmer}}"}"#,
                .placeholder(.unknownKind("nubmer"), file: "pass.json", line: 1)
            ),
            (
                #"{"a": "{{x:number}} €"}"#,
                .placeholder(.kindInText("x"), file: "pass.json", line: 1)
            ),
        ] as [(String, TemplateError)])
    func errors(pass: String, error: TemplateError) throws {
        #expect(throws: error) { try PassTemplate(PassFolder(["pass.json": Array(pass.utf8)])) }
    }

    @Test("deep nesting and other encodings are errors")
    func hostile() throws {
        func nested(_ depth: Int) -> [UInt8] {
            let (open, close) = (
                String(repeating: "[", count: depth), String(repeating: "]", count: depth)
            )
            return Array("{\"serialNumber\": \"1\", \"a\": \(open)1\(close)}".utf8)
        }
        _ = try PassTemplate(PassFolder(["pass.json": nested(99)]))
        for depth in [100, 100_000] {
            #expect(throws: TemplateError.tooDeep(file: "pass.json", limit: 100)) {
                try PassTemplate(PassFolder(["pass.json": nested(depth)]))
            }
        }
        #expect(throws: TemplateError.notUTF8(file: "pass.json")) {
            try PassTemplate(PassFolder(["pass.json": [0x22, 0xFF, 0x22]]))
        }
        #expect(throws: TemplateError.noPass) { try PassTemplate(PassFolder([:])) }
    }
}
