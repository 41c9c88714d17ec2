import Foundation
import PassDetection
import Testing

@testable import PassImport

/// The lists are written by Python's plistlib.
@Suite("Types are read from property lists like those of apps")
struct TypeDeclarationsTests {
    private static let list = """
        {'CFBundleName': 'App', 'UTExportedTypeDeclarations': [
            {'UTTypeIdentifier': 'org.ticket', 'UTTypeConformsTo': ['org.card', 'public.data'],
             'UTTypeDescription': 'Ticket', 'UTTypeIconFile': 'x.icns',
             'UTTypeTagSpecification': {'public.filename-extension': ['ticket', 'TKT'],
                 'public.mime-type': 'application/x-ticket', 'com.apple.ostype': ['TICK']}}],
         'UTImportedTypeDeclarations': [
            {'UTTypeIdentifier': 'org.card', 'UTTypeConformsTo': 'com.apple.pkpass'},
            {'UTTypeIdentifier': 'org.other', 'UTTypeConformsTo': 'org.other',
             'UTTypeTagSpecification': {'public.filename-extension': 'other'}}]}
        """

    @Test("in XML and in binary form", arguments: ["XML", "BINARY"])
    func forms(form: String) throws {
        let types = TypeMap(try TypeDeclarations.read(try plist(TypeDeclarationsTests.list, form)))
        #expect(
            ["a.ticket", "a.tkt", "a.other", "a.pkpass"].map(types.isPassName)
                == [true, true, false, true])
    }

    @Test(
        "a list without declarations is an error",
        arguments: [
            ("{'CFBundleName': 'App'}", TypeDeclarationError.noDeclarations),
            ("{'UTExportedTypeDeclarations': []}", .noDeclarations),
            ("['x']", .unreadable), ("{'UTExportedTypeDeclarations': [{}]}", .unreadable),
            ("{'UTExportedTypeDeclarations': 5}", .unreadable),
        ])
    func wrong(list: String, error: TypeDeclarationError) throws {
        let data = try plist(list, "XML")
        #expect(throws: error) { try TypeDeclarations.read(data) }
    }

    @Test(
        "so is a file that is not a property list", arguments: ["", "hello", "bplist00", "<plist>"])
    func garbage(text: String) {
        #expect(throws: TypeDeclarationError.unreadable) {
            try TypeDeclarations.read(Data(text.utf8))
        }
    }

    private func plist(_ list: String, _ form: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import plistlib, sys; sys.stdout.buffer.write(plistlib.dumps(eval(sys.argv[1]), "
                + "fmt=plistlib.FMT_\(form)))", list,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return data
    }
}
