import Foundation
import PassFixtures
import PassModel
import PassVerification
import Testing

@testable import PassSigning

@Suite("Rows become passes in their order, each as if it were signed alone")
struct BulkSignerTests {
    private static func template() throws -> PassTemplate {
        var folder = try SampleFolder.make("generic-gym")
        let script = """
            import json, sys
            value = json.load(sys.stdin)
            value["serialNumber"] = "{{serial}}"
            print(json.dumps(value))
            """
        folder.files["pass.json"] = try run(["python3", "-c", script], input: folder.pass ?? [])
        return try PassTemplate(folder)
    }

    private static func rows(_ serials: [String]) -> [TemplateRow] {
        serials.enumerated().map { TemplateRow(line: $0 + 2, ["serial": $1]) }
    }

    @Test("with any number of workers", arguments: [1, 2, 7])
    func order(workers: Int) throws {
        let serials = (0..<50).map { "S\($0)" }
        let bulk = try BulkSigner(.ofTests("rsa"), Self.template(), workers: workers)
        let passes = try bulk.passes(for: Self.rows(serials), at: signingTime).map {
            try $0.get()
        }
        #expect(passes.map { $0.verification.pass?.serialNumber } == serials)
        #expect(passes.allSatisfy { $0.verification.verdict == .trusted })
    }

    @Test("a pass has the same files as one that is signed alone")
    func alone() throws {
        let (signer, template) = (try PassSigner.ofTests("rsa"), try Self.template())
        let row = Self.rows(["S1"])[0]
        let bulk = try BulkSigner(signer, template)
        let many = try bulk.passes(for: [row], at: signingTime)[0].get()
        let one = try signer.sign(
            PassFolder(template.shared.merging(template.files(for: row)) { $1 }), at: signingTime)
        let script = """
            import io, sys, zipfile
            archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
            for name in sorted(archive.namelist()):
                print(name, archive.read(name).hex())
            """
        let contents = try [many, one].map { pass in
            try run(["python3", "-c", script], input: pass.bytes)
        }
        #expect(contents[0] == contents[1])
    }

    @Test("a row without a value has an error in its place")
    func bad() throws {
        let bulk = try BulkSigner(.ofTests("leaf"), Self.template())
        let results = bulk.passes(for: Self.rows(["S1", "", "S3"]), at: signingTime)
        #expect(throws: Never.self) { try results[0].get() }
        #expect(throws: RowError.row(.missing(column: "serial"))) { try results[1].get() }
        #expect(throws: Never.self) { try results[2].get() }
    }

    @Test("warnings about a row's own values come with its pass, those of the template apart")
    func warnings() throws {
        var folder = CleanFolder()
        folder.replace("\"serialNumber\": \"1\"", "\"serialNumber\": \"{{serial}}\"")
        folder.replace("rgb(255, 255, 255)", "{{colour}}")
        folder.files["notes.txt"] = []
        let bulk = try BulkSigner(.ofTests("leaf"), PassTemplate(folder.folder))
        let rows = ["rgb(255, 255, 255)", "#ffffff", "white"].enumerated().map {
            TemplateRow(line: $0 + 2, ["serial": "\($0)", "colour": $1])
        }
        let found = bulk.passes(for: rows, at: signingTime) { _, pass in
            (try? pass.get())?.warnings.map(Found.init)
        }
        #expect(found == [[], [Found("color-form", "pass.json", "backgroundColor")], nil])
        for row in rows {
            let shared = try bulk.sharedWarnings(with: row, at: signingTime)
            #expect(shared.map(Found.init) == [Found("stray-file", "notes.txt")])
        }
    }

    @Test("a certificate that has expired gives mistakes instead of passes")
    func expired() throws {
        let bulk = try BulkSigner(.ofTests("leaf"), Self.template())
        let results = bulk.passes(for: Self.rows(["S1"]))
        let error = #expect(throws: RowError.self) { try results[0].get() }
        guard case .mistakes(let findings) = error else {
            Issue.record("not mistakes: \(String(describing: error))")
            return
        }
        #expect(findings.map(\.fault.rule) == ["certificate-not-valid"])
    }
}
