import Foundation
import MailSource
import Testing

@testable import PassImport

@Suite("An attachment that is stored elsewhere is reported, and not as a malformed pass")
struct StoredElsewhereTests {
    private static let url =
        "X-Mozilla-External-Attachment-URL: file:///home/ana/My%20Files/t.pkpass\n"
    private static let altered = "X-Mozilla-Altered: AttachmentDetached; date=\"Sat Jun 07 2042\"\n"
    private static let notice = "You deleted an attachment from this message.\n"
    private static let detached = Problem.Kind.attachmentDetached(
        place: "file:///home/ana/My%20Files/t.pkpass")

    /// Each row: the name of the attachment, the fields about its removal, and the problem.
    @Test(
        "Thunderbird's",
        arguments: [
            ("t.pkpass", url + altered, detached), ("t.pkpass", altered, .attachmentRemoved),
            ("t.pkpass", "X-Mozilla-Altered: AttachmentDeleted\n", .attachmentRemoved),
            ("t.pkpass", url, detached), ("t.pdf", url + altered, nil),
        ] as [(String, String, Problem.Kind?)])
    func thunderbird(name: String, fields: String, problem: Problem.Kind?) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let header = "Content-Type: application/octet-stream; name=\"\(name)\"\n\(fields)"
        try tree.write("Subject: x\n\(header)\n\(StoredElsewhereTests.notice)", to: "a.eml")
        #expect(try await problems(tree) == [problem].compactMap(\.self))
        // The pass itself is what counts.
        let pass = MailTree.base64(try MailTree.sample("trusted/boarding-pass-air-gate-4"))
        try tree.write(
            "Subject: x\n\(header)Content-Transfer-Encoding: base64\n\n\(pass)\n", to: "a.eml")
        #expect(try await problems(tree).isEmpty)
    }

    /// Each row: the type of the attachment, with its names and the fields about its removal.
    @Test(
        "Thunderbird's, without a name or with another type",
        arguments: [
            (
                "application/octet-stream\nX-Mozilla-External-Attachment-URL: file:///ana/t.pkpass\n"
                    + altered, .attachmentDetached(place: "file:///ana/t.pkpass")
            ),
            (
                "application/octet-stream\nX-Mozilla-External-Attachment-URL: file:///ana/t.pdf\n"
                    + altered, nil
            ),
            (
                "text/x-moz-deleted; name=\"Deleted: t.pkpass\"\n"
                    + "X-Mozilla-Altered: AttachmentDeleted; date=\"x\"\n", .attachmentRemoved
            ),
            (
                "text/x-moz-deleted; name=\"Deleted: t.pdf\"\n"
                    + "X-Mozilla-Altered: AttachmentDeleted; date=\"x\"\n", nil
            ),
        ] as [(String, Problem.Kind?)])
    func thunderbirdType(fields: String, problem: Problem.Kind?) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let part = "--b\nContent-Type: \(fields)\n\(StoredElsewhereTests.notice)--b--\n"
        try tree.write(
            "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n\(part)", to: "a.eml")
        #expect(try await problems(tree) == [problem].compactMap(\.self))
    }

    @Test("Dovecot's, also in a backup", arguments: ["u.1", "backup.tar"])
    func dovecot(name: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        var message = "Subject: x\nContent-Type: multipart/mixed; boundary=b\n"
        for file in ["a.pdf", "t.pkpass"] {
            message += """

                --b
                Content-Disposition: attachment; filename=\(file)
                Content-Transfer-Encoding: base64



                """
        }
        message += "--b--\n"
        let size = String(message.utf8.count, radix: 16)
        let padded = String(repeating: "0", count: 16 - size.count) + size
        try tree.write(
            "2 M1e C6b0b0224\n\u{1}\u{2}N          \(padded)\n\(message)"
                + "\n\u{1}\u{3}\nX317 5199 B76 a\n\n",
            to: "u.1")
        guard name != "u.1" else {
            #expect(try await problems(tree) == [.attachmentElsewhere])
            return
        }
        // Each message has a list of problems of its own.
        try tree.shell("for i in $(seq 15); do mkdir $i; cp u.1 $i/u.1; done")
        try tree.shell("tar cf \(name) u.1 [1-9]*; rm -r u.1 [1-9]*")
        #expect(try await problems(tree) == Array(repeating: .attachmentElsewhere, count: 16))
    }

    private func problems(_ tree: MailTree) async throws -> [Problem.Kind] {
        var problems: [Problem.Kind] = []
        let input = Input.path(Path(tree.url.path))
        _ = try await PassImport.run([input], try MailTree.options()) { event in
            if case .problem(let problem) = event { problems.append(problem.kind) }
        }
        return problems
    }
}
