import Foundation
import Glibc
import Testing

@testable import PassImport

/// Whether a program is installed.
private func has(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
}

@Suite("Mail stores written by servers are read")
struct ServerStoresTests {
    @Test(
        "Dovecot's, plain and compressed", .enabled(if: has("doveadm"), "needs dovecot-core"),
        arguments: ["sdbox", "mdbox"], ["", "gz", "bz2", "zstd"])
    func dovecot(form: String, compression: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        let plugin =
            compression.isEmpty
            ? "" : "-o mail_plugins=zlib -o plugin/zlib_save=\(compression)"
        for index in 0..<3 {
            try tree.write(MailTree.message("m\(index)", pass), to: "m\(index)")
            try tree.shell(
                asOther("doveadm -c /dev/null \(plugin) -o mail_location=\(form):$HOME/store save")
                    + " < m\(index)")
        }
        let result = try await tree.run(try MailTree.options(), ["store"])
        #expect(result.lines.count == 3, "\(result.lines)")
        #expect(result.lines.allSatisfy { $0.hasSuffix(" ticket.pkpass trusted") })
        #expect(result.summary.messages == 3)
    }

    @Test(
        "Dovecot's compressed with LZ4 are reported",
        .enabled(if: has("doveadm"), "needs dovecot-core"), arguments: ["mdbox", "maildir"])
    func dovecotLZ4(form: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        try tree.write(MailTree.message("m", pass), to: "m")
        try tree.shell(
            asOther(
                "doveadm -c /dev/null -o mail_plugins=zlib -o plugin/zlib_save=lz4 "
                    + "-o mail_location=\(form):$HOME/store save") + " < m")
        let lines = try await tree.run(try MailTree.options(), ["store"]).lines
        #expect(
            lines.count == 1 && lines.allSatisfy { $0.hasSuffix("format-not-read") }, "\(lines)")
    }

    @Test("MBX of UW IMAP", .enabled(if: has("mailutil"), "needs uw-mailutils"))
    func mbx() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        try tree.write(
            MailTree.mbox((0..<3).map { MailTree.message("m\($0)", pass) }), to: "in.mbox")
        try tree.shell(asOther("sh -c 'cd $HOME; mailutil copy in.mbox \"#driver.mbx/out.mbx\"'"))
        let lines = try await tree.run(try MailTree.options(), ["out.mbx"]).lines
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.hasSuffix(" 2 ticket.pkpass trusted") }, "\(lines)")
    }

    /// A command of a program that refuses to run as root.
    private func asOther(_ command: String) -> String {
        let isRoot = geteuid() == 0
        return "export HOME=\"$PWD\"; " + (isRoot ? "chown -R nobody .; runuser -u nobody -- " : "")
            + "env HOME=\"$PWD\" USER=nobody \(command)"
    }
}
