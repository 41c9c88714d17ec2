import Foundation
import MailSource
import PassStore
import PassVerification
import Testing

@testable import PassImport

@Suite("A file is read again only if it may have changed")
struct ScanCacheTests {
    private static let four = "trusted/boarding-pass-air-gate-4"
    private static let seven = "trusted/boarding-pass-air-gate-7"
    private let four = Result { try MailTree.sample(ScanCacheTests.four) }
    private let seven = Result { try MailTree.sample(ScanCacheTests.seven) }

    private func maildir() throws -> Rerun {
        let rerun = try Rerun()
        try rerun.tree.shell("mkdir -p mail/tmp")
        for index in 0..<20 {
            let message = MailTree.message("\(index)", try four.get())
            try rerun.tree.write(message, to: "mail/\(index < 5 ? "new" : "cur")/\(index).host")
        }
        return rerun
    }

    @Test("a second run skips unchanged files, and --all reads them")
    func unchanged() async throws {
        let rerun = try maildir()
        defer { rerun.remove() }
        try rerun.tree.write(try seven.get(), to: "mail/sub/a.pkpass")
        try rerun.tree.write("Subject: x\n\nx\n", to: "mail/sub/b.eml")
        let first = try await rerun.again()
        #expect(first.found == (try await rerun.whole().result.found))
        #expect(first.summary.unchanged == 0)
        let second = try await rerun.again()
        #expect(second.lines == [])
        var nothing = Summary()
        nothing.sources = first.summary.sources
        nothing.unchanged = first.summary.sources
        #expect(second.summary == nothing)
        var everything = rerun
        everything.options.readsAll = true
        let third = try await everything.again()
        #expect(third.found == first.found)
        #expect(third.summary.unchanged == 0)
        #expect(try await rerun.again().lines == [])
    }

    @Test(
        "in a Maildir only new mail is read, not mail that was moved, marked or deleted",
        arguments: [
            ("true", 0), ("mv mail/new/0.host mail/cur/0.host:2,S", 0),
            ("mv mail/cur/9.host mail/cur/9.host:2,FS", 0), ("rm mail/cur/7.host", 0),
            ("cp mail/cur/7.host mail/new/20.host", 1), ("touch mail/cur/8.host", 1),
            ("printf x >> mail/cur/8.host", 1), ("chmod 600 mail/cur/8.host", 0),
            ("cp mail/cur/8.host x; mv x mail/cur/8.host", 1),
        ])
    func maildir(edit: String, read: Int) async throws {
        let rerun = try maildir()
        defer { rerun.remove() }
        _ = try await rerun.again()
        try rerun.tree.shell(edit)
        let second = try await rerun.again()
        #expect(second.summary.sources - second.summary.unchanged == read)
        #expect(second.lines.count == read)
        #expect(try rerun.passes == (try await rerun.whole().passes))
        #expect(try await rerun.again().lines == [])
    }

    @Test(
        "in other folders a file is read again after any change",
        arguments: [
            ("true", 0), ("F=mail/a.pkpass; touch -r $F r; cat c > $F; touch -r r $F", 1),
            ("chmod 600 mail/a.pkpass", 1), ("mv mail/a.pkpass mail/z.pkpass", 1),
            ("cp mail/a.pkpass mail/c.pkpass", 1), ("rm mail/b.pkpass", 0),
        ])
    func folder(edit: String, read: Int) async throws {
        let rerun = try Rerun()
        defer { rerun.remove() }
        try rerun.tree.write(try four.get(), to: "mail/a.pkpass")
        try rerun.tree.write(try four.get(), to: "mail/b.pkpass")
        try rerun.tree.write(try seven.get(), to: "c")
        #expect(try await rerun.again().lines.count == 2)
        try rerun.tree.shell(edit)
        #expect(try await rerun.again().lines.count == read)
        #expect(try rerun.passes.isSuperset(of: try await rerun.whole().passes))
        #expect(try await rerun.again().lines == [])
    }

    @Test("a file given by name is always read, unless it is a mailbox")
    func named() async throws {
        let rerun = try Rerun(["a.pkpass", "b.eml", "c.mbox", "d.mbox.gz"])
        defer { rerun.remove() }
        let message = MailTree.message("a", try four.get())
        try rerun.tree.write(try four.get(), to: "a.pkpass")
        try rerun.tree.write(message, to: "b.eml")
        try rerun.tree.write(MailTree.mbox([message, message]), to: "c.mbox")
        try rerun.tree.shell("gzip < c.mbox > d.mbox.gz")
        #expect(try await rerun.again().lines.count == 6)
        let second = try await rerun.again()
        #expect(second.lines.map { $0.prefix(5) } == ["a.pkp", "b.eml"])
        #expect(second.summary.unchanged == 2)
        try rerun.tree.shell("touch d.mbox.gz")
        #expect(try await rerun.again().lines.count == 4)
    }

    @Test("a change of trust, policy or program version causes everything to be read again")
    func manner() async throws {
        var rerun = try Rerun()
        defer { rerun.remove() }
        try rerun.tree.write(try four.get(), to: "mail/a.pkpass")
        let unsigned = try MailTree.sample("unsigned/manifest-without-signature")
        try rerun.tree.write(unsigned, to: "mail/b.pkpass")
        let verifier = rerun.options.verifier
        rerun.options.verifier = PassVerifier()
        #expect(try await rerun.again().outcomes == ["refused", "refused"])
        #expect(try await rerun.again().outcomes == [])
        rerun.options.verifier = verifier
        #expect(try await rerun.again().outcomes == ["added", "refused"])
        #expect(try await rerun.again().outcomes == [])
        rerun.options.policy = AdmissionPolicy(accepting: [.unsigned])
        #expect(try await rerun.again().outcomes == ["unchanged", "added"])
        #expect(try await rerun.again().outcomes == [])
        rerun.options.program = "2"
        #expect(try await rerun.again().outcomes == ["unchanged", "unchanged"])
    }

    @Test("a file that has just been changed is read again")
    func unsettled() async throws {
        var rerun = try Rerun()
        defer { rerun.remove() }
        rerun.options.settling = 3_600_000_000_000
        try rerun.tree.write(try four.get(), to: "mail/a.pkpass")
        #expect(try await rerun.again().outcomes == ["added"])
        #expect(try await rerun.again().outcomes == ["unchanged"])
        // A copy keeps the modification time, but its status change time is now.
        try rerun.tree.shell("touch -d 2001-01-01 mail/a.pkpass")
        #expect(try await rerun.again().outcomes == ["unchanged"])
        #expect(try await rerun.again().outcomes == ["unchanged"])
    }

    @Test("files that were not read completely are read and reported again")
    func problems() async throws {
        let rerun = try Rerun()
        defer { rerun.remove() }
        try rerun.tree.write("Subject: x\n\nx\n", to: "mail/a.eml")
        var message = "Subject: x\n\nx\n"
        for _ in 0..<8 {
            message =
                "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
                + MailTree.base64(Data(message.utf8)) + "\n"
        }
        try rerun.tree.write(message, to: "mail/b.eml")
        try rerun.tree.shell(
            """
            printf 'Subject: x\\n\\nx\\n' | gzip | head -c 20 > mail/c.gz
            ln -s nowhere mail/d
            """)
        let first = try await rerun.again()
        #expect(first.outcomes == ["limit-nesting", "damaged-compression", "dangling-link"])
        let second = try await rerun.again()
        #expect(second.lines == first.lines)
        #expect(second.summary.unchanged == 1)
    }

    @Test("an Apple Mail message is read again while attachments may still appear beside it")
    func filesBeside() async throws {
        let rerun = try Rerun()
        defer { rerun.remove() }
        let message = "Subject: x\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nx\n--x--\n"
        let emlx = "\(message.utf8.count)\n\(message)<?xml version=\"1.0\"?><plist/>\n"
        for name in ["1.emlx", "2.partial.emlx", "3.emlx"] {
            try rerun.tree.write(emlx, to: "mail/Messages/\(name)")
        }
        try rerun.tree.shell("mkdir -p mail/Attachments/3/2")
        #expect(try await rerun.again().summary.messages == 3)
        #expect(try await rerun.again().summary.messages == 2)
        for name in ["1", "2"] {
            try rerun.tree.write(try four.get(), to: "mail/Attachments/\(name)/2/a.pkpass")
        }
        #expect(try await rerun.again().outcomes == ["added", "unchanged"])
    }

    @Test("an interrupted run has cached exactly the files that it has read")
    func endedEarly() async throws {
        struct Ended: Error {}
        for limit in [1, 70, 100, 150] {
            var rerun = try Rerun()
            defer { rerun.remove() }
            rerun.options.notingPause = .zero
            rerun.options.heldEvents = 50
            rerun.options.jobs = 2
            for index in 0..<150 {
                let message = MailTree.message("\(index)", try four.get())
                try rerun.tree.write(message, to: "mail/\(index % 3)/\(index).eml")
            }
            try await Task.sleep(for: .milliseconds(20))
            var told = 0
            let inputs = [Input.path(Path("\(rerun.tree.url.path)/mail"))]
            _ = try? await run(inputs, rerun.options) { _ in
                told += 1
                if told == limit { throw Ended() }
            }
            let rest = try await rerun.again()
            // Passes are stored, and their sources are cached, before they are reported.
            #expect(rest.summary.unchanged == (limit + 49) / 50 * 50)
            #expect(rest.lines.count == 150 - rest.summary.unchanged)
            #expect(try await rerun.again().lines == [])
        }
    }

    @Test("two runs at once give the same result and cache")
    func atOnce() async throws {
        let rerun = try maildir()
        defer { rerun.remove() }
        async let first = rerun.again()
        async let second = rerun.again()
        #expect(try await first.found == second.found)
        #expect(try await rerun.again().lines == [])
        #expect(try rerun.passes == (try await rerun.whole().passes))
    }

    @Test("a damaged cache takes time, but loses no pass")
    func damage() async throws {
        let damages = [Data(), Data([1, 2, 3]), Data(repeating: 0xFF, count: 96), Data(count: 80)]
        for damage in damages {
            let rerun = try Rerun(["mail", "m.mbox"])
            defer { rerun.remove() }
            try rerun.tree.write(try four.get(), to: "mail/a.pkpass")
            let message = MailTree.message("a", try seven.get())
            try rerun.tree.write(MailTree.mbox([message, message]), to: "m.mbox")
            #expect(try await rerun.again().lines.count == 3)
            let library = try #require(rerun.options.library)
            let manner = ScanCacheKey(rerun.options).bytes
            for note in try library.sourceNotes(within: Data(), manner: manner) {
                let damaged = SourceNote(source: note.source, manner: manner, content: damage)
                try library.keep([damaged], insteadOf: [note.id])
            }
            #expect(try await rerun.again().lines.count == 3)
            #expect(try await rerun.again().lines == [])
        }
    }

    @Test("the cache entries of deleted files are deleted too")
    func forgetting() async throws {
        let rerun = try maildir()
        defer { rerun.remove() }
        try rerun.tree.write(MailTree.mbox(["Subject: x\n\nx\n"]), to: "mail/box")
        try rerun.tree.shell(
            "head -c 300000 /dev/zero >> mail/box; mkdir mail/x; cp mail/cur/9* mail/x")
        _ = try await rerun.again()
        let manner = ScanCacheKey(rerun.options).bytes
        let root = Data("\(rerun.tree.url.path)/mail".utf8)
        func notes() throws -> [String: Int] {
            let library = try #require(rerun.options.library)
            var sizes: [String: Int] = [:]
            for note in try library.sourceNotes(within: root, manner: manner) {
                let name = String(decoding: note.source.dropFirst(root.count), as: UTF8.self)
                sizes[name, default: 0] += note.content?.count ?? 0
            }
            return sizes
        }
        #expect(try notes() == ["/": 640, "/x/": 32, "/box": 96])
        try rerun.tree.shell("rm -r mail/x mail/box mail/cur/*")
        _ = try await rerun.again()
        #expect(try notes() == ["/": 160])
    }
}
