import Foundation
import PassFixtures
import Testing

/// The table of forms in `Samples/README.md` lists families of samples.
@Suite("Each form of mail has samples and is in passconduit-formats(5)")
struct FormsTests {
    private static let folders = ["mail", "mailbox", "links"]

    @Test("each family has samples that yield passes or links")
    func families() throws {
        let rows = try rows()
        #expect(rows.count > 8)
        for row in rows {
            for pattern in row.patterns {
                let samples = try samples(pattern)
                #expect(!samples.isEmpty, "\(pattern) names no sample")
                for (name, expected) in samples where row.form != "no pass" {
                    let isNone = name.hasPrefix("none-")
                    #expect(
                        isNone == expected.isEmpty || expected.contains("problem"),
                        "\(row.form): \(name)")
                }
                for (name, expected) in samples where row.form == "no pass" {
                    #expect(expected.isEmpty, "\(name)")
                }
            }
        }
    }

    @Test("every sample of a mail or a mailbox belongs to a family")
    func samplesOfFamilies() throws {
        let patterns = try rows().flatMap(\.patterns) + ["external-*", "malformed-*", "hostile-*"]
        for folder in FormsTests.folders {
            for name in try names(in: folder) {
                #expect(
                    patterns.contains { fnmatch($0, stem(name)) == 0 || fnmatch($0, name) == 0 },
                    "\(folder)/\(name)")
            }
        }
    }

    @Test("the manual page describes each form")
    func manual() throws {
        let page = try String(
            contentsOf: Program.package.appendingPathComponent("desktop/man/passconduit-formats.5"),
            encoding: .utf8)
        let described = page.split(separator: "\n").filter { $0.hasPrefix(".It ") }
            .map { String($0.dropFirst(".It ".count)).replacing(" ,", with: ",") }
        #expect(described == (try rows().map(\.form)))
    }

    private func rows() throws -> [(form: String, patterns: [String])] {
        let readme = try String(
            contentsOf: Sample.folder.appendingPathComponent("README.md"), encoding: .utf8)
        let section = readme.components(separatedBy: "## Forms of mail")[1]
            .components(separatedBy: "\n## ")[0]
        return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map {
            let cells = $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let patterns = cells[1].split(separator: " ").map { $0.filter { $0 != "`" } }
            return (cells[0], patterns)
        }
    }

    /// The samples of a family with their expected records.
    private func samples(_ pattern: String) throws -> [(name: String, expected: String)] {
        try FormsTests.folders.flatMap { folder in
            try names(in: folder)
                .filter { fnmatch(pattern, stem($0)) == 0 || fnmatch(pattern, $0) == 0 }
                .map { name in
                    let file = Sample.folder.appendingPathComponent("\(folder)/\(name).expected")
                    return (name, try String(contentsOf: file, encoding: .utf8))
                }
        }
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: Sample.folder.appendingPathComponent(folder).path
        ).filter { $0.hasSuffix(".expected") }.map { String($0.dropLast(".expected".count)) }
    }

    private func stem(_ name: String) -> String {
        (name as NSString).deletingPathExtension
    }

    private func fnmatch(_ pattern: String, _ name: String) -> CInt {
        unsafe Foundation.fnmatch(pattern, name, 0)
    }
}
