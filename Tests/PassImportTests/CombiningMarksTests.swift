import Foundation
import MailSource
import PassStore
import PassVerification
import Testing

@testable import PassImport

@Suite("Importing any text takes time in proportion to its size", .serialized)
struct CombiningMarksTests {
    /// Passes with long runs of combining marks, each in a mail with such runs too.
    private static let program = """
        import base64, io, json, os, sys, zipfile
        size = int(sys.argv[1])
        runs = [m * (size // len(m.encode())) for m in (
            '\\u0301\\u0323', '\\u05b0\\u05bc', '\\u064b\\u0651', '\\u0e38\\u0e48', '\\u093c\\u094d')]
        runs += ['\\U0001f1f5\\U0001f1f9' * (size // 8)]
        for number, run in enumerate(runs):
            text = 'a' + run
            field = {'key': text, 'label': text, 'value': text, 'changeMessage': text + '%@',
                     'attributedValue': '<a href="https://e.example/' + text + '">' + text + '</a>'}
            document = {'formatVersion': 1, 'passTypeIdentifier': 'pass.a', 'teamIdentifier': 'T',
                'serialNumber': str(number), 'organizationName': text, 'description': text,
                'generic': {'primaryFields': [field]}, text: 1}
            out = io.BytesIO()
            with zipfile.ZipFile(out, 'w') as z:
                z.writestr('pass.json', json.dumps(document, ensure_ascii=False))
                z.writestr('en.lproj/pass.strings', '"%s" = "%s";' % (text, text))
            name = '%s.pkpass' % text[:size // 10]
            with open('%d.eml' % number, 'wb') as mail:
                mail.write(('From: %s <a@b.example>\\nSubject: %s\\n'
                    'Content-Type: application/octet-stream; name="%s"\\n'
                    'Content-Transfer-Encoding: base64\\n\\n' % (text, text, name)).encode())
                mail.write(base64.encodebytes(out.getvalue()))
        """

    @Test("in mail and passes in six scripts")
    func cost() async throws {
        let (small, notes) = try await seconds(25_000)
        let (large, _) = try await seconds(100_000)
        #expect(large / max(small, 0.2) < 8, "\(small) s and \(large) s")
        // Regional indicators are not combining marks.
        #expect(notes.map { $0.filter { $0 == "long-combining-run" }.count } == [3, 3, 3, 3, 3, 0])
    }

    /// The time to import such mails, and the codes of the notes on their passes.
    private func seconds(_ size: Int) async throws -> (Double, notes: [[String]]) {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(Self.program, to: "make")
        try tree.shell("python3 make \(size); rm make")
        var options = try MailTree.options()
        options.policy = AdmissionPolicy(accepting: [.unsigned])
        let library = FileManager.default.temporaryDirectory
            .appendingPathComponent("marks-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: library) }
        options.library = try PassLibrary(at: library, for: .writing)
        var notes: [[String]] = []
        let start = Date()
        _ = try await PassImport.run([.path(Path(tree.url.path))], options) { event in
            if case .pass(let found) = event { notes.append(found.verification.notes.map(\.code)) }
        }
        return (Date().timeIntervalSince(start), notes)
    }
}
