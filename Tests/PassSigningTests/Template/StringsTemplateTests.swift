import Foundation
import PassSigning
import Testing

@Suite("Placeholders in translations become texts of .strings files")
struct StringsTemplateTests {
    private let pass = Array(#"{"serialNumber": "1"}"#.utf8)

    private func file(_ strings: some Sequence<UInt8>) throws -> String {
        let template = try PassTemplate(
            PassFolder(["pass.json": pass, "en.lproj/pass.strings": Array(strings)]))
        let row = TemplateRow(line: 2, ["x": "say \"é\"\n\\\u{1}\t", "größe": "L"])
        let files = try template.files(for: row)
        let bytes = try #require(files["en.lproj/pass.strings"])
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    @Test(
        "values are escaped, and read by Foundation",
        arguments: [
            (
                #""a" = "<{{x}}>";"#, #""a" = "<say \"é\"\n\\\U0001\t>";"#,
                "<say \"é\"\n\\\u{1}\t>"
            ),
            (
                "/* {{y}} \" */ // {{y}}\n\"a\"=\"{{größe}}\";",
                "/* {{y}} \" */ // {{y}}\n\"a\"=\"L\";", "L"
            ),
            (#""a" = "\"{{größe}}{{none?}}\"";"#, #""a" = "\"L\"";"#, "\"L\""),
            (#""b//" = "{{größe}}"; "a" = "c";"#, #""b//" = "L"; "a" = "c";"#, "c"),
        ])
    func values(template: String, result: String, value: String) throws {
        let made = try file(template.utf8)
        #expect(made == result)
        let read = try unsafe PropertyListSerialization.propertyList(
            from: Data(made.utf8), format: nil)
        #expect((read as? [String: String])?["a"] == value)
    }

    @Test(
        "UTF-16 becomes UTF-8",
        arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
    func encodings(encoding: String.Encoding) throws {
        let bytes = try #require(#""ä" = "{{größe}}";"#.data(using: encoding))
        #expect(try file(bytes) == #""ä" = "L";"#)
        let marked = Array("\u{FEFF}\"ä\" = \"{{größe}}\";".utf8)
        #expect(try file(marked) == #""ä" = "L";"#)
    }

    @Test(
        "placeholders in other places are errors",
        arguments: [
            ("\n\"{{x}}\" = \"a\";", .inKey), ("\n\"a\" = {{x}};", .notQuoted),
            ("\n\"a\" = \"{{x\";", .notClosed), ("\n\"a\" = \"{{x:number}}\";", .kindInText("x")),
        ] as [(String, PlaceholderFault)])
    func errors(strings: String, fault: PlaceholderFault) {
        #expect(throws: TemplateError.placeholder(fault, file: "en.lproj/pass.strings", line: 2)) {
            try file(strings.utf8)
        }
    }
}
