import Foundation
import PassLinks
import Testing

@testable import PassImport

@Suite(
    "Passes in data: URLs in mail are verified on request")
struct DataLinksTests {
    private let tree: MailTree
    private let url: String

    init() throws {
        tree = try MailTree()
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        url = "data:application/vnd.apple.pkpass;base64,\(pass.base64EncodedString())"
    }

    private func options(reading: Bool = true) throws -> ImportOptions {
        var options = try MailTree.options()
        options.links = LinkLimits()
        options.readsDataLinks = reading
        return options
    }

    /// The lines of passes and problems.
    private func found(
        _ options: ImportOptions, _ names: [String] = [""]
    ) async throws -> [String] {
        try await tree.run(options, names).lines.filter { !$0.contains("data:") }
    }

    @Test("in text and HTML, in nested mail and archives, and in files given by name")
    func places() async throws {
        defer { tree.remove() }
        let text = "Subject: x\n\nSee \(url) there\n"
        let folded = "<a href='" + url.replacing(";base64", with: ";\n base64") + "'>x</a>"
        let html = "Subject: x\nContent-Type: text/html\n\n\(folded)\n"
        let outer =
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n"
        try tree.write(text, to: "a.eml")
        try tree.write(html, to: "b.eml")
        try tree.write("\(outer)\n\(html)\n--b--\n", to: "c.eml")
        try tree.write(folded, to: "d.html")
        try tree.shell("zip -q e.zip a.eml b.eml || python3 -m zipfile -c e.zip a.eml b.eml")
        let names = ["a.eml", "b.eml", "c.eml", "d.html", "e.zip"]
        let lines = try await found(try options(), names)
        #expect(lines.count == 6, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("trusted") }, "\(lines)")
        #expect(try await found(try options(reading: false), names) == [])
        #expect(try await tree.run(try options(), names).summary.links == 6)
    }

    @Test("up to a total size for each message; exceeding it is reported once")
    func limit() async throws {
        defer { tree.remove() }
        let part = "--b\n\n\(url)\n"
        let mail = "Content-Type: multipart/mixed; boundary=b\n\n\(part)\(part)\(part)--b--\n"
        try tree.write(mail, to: "a.eml")
        try tree.write(mail, to: "b.eml")
        let size = url.utf8.count
        for (room, passes) in [(3 * size, 3), (3 * size - 1, 2), (size, 1), (size - 1, 0)] {
            var options = try options()
            options.links?.data = room
            let lines = try await found(options)
            #expect(lines.filter { $0.contains("trusted") }.count == 2 * passes, "\(lines)")
            let told = lines.filter { $0.hasSuffix("limit-link-size") }
            #expect(told.count == (passes == 3 ? 0 : 2), "\(lines)")
            // The beginnings of the links are still listed.
            #expect(try await tree.run(options).summary.links == 6)
        }
    }
}
