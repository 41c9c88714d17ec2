import PassDetection
import PassLinks
import PassPresentation
import PassSession
import PassVerification
import Platform
import Testing

@testable import PassCommands
@testable import PassImport

@Suite("Records have the documented form, key by key")
struct RecordsTests {
    private let message = MessageReference(
        index: 11, offset: 4096, messageID: "<1@example.org>", from: "Ada <ada@example.org>",
        date: "Wed, 1 May 2024 10:00:00 +0000", subject: "\u{1B}[31mTrip\u{202E}")

    /// A verification of no octets: their SHA-256 is that of the empty message in FIPS 180-4.
    private let empty = PassVerifier().verify([])

    @Test("a pass in a message")
    func pass() throws {
        let found = FoundPass(
            source: "mail.mbox", message: message, part: "1.2!a.pkpass", name: "a.pkpass",
            mediaType: "application/zip", evidence: [.fileExtension, .content],
            verification: empty, imported: .refused)
        let golden = #"""
            {"version":1,"record":"pass","source":"mail.mbox","message":{"index":11,"offset":4096,\#
            "messageID":"<1@example.org>","from":"Ada <ada@example.org>",\#
            "date":"Wed, 1 May 2024 10:00:00 +0000","subject":"\u001b[31mTrip\#u{202E}"},\#
            "part":"1.2!a.pkpass","name":"a.pkpass","mediaType":"application/zip",\#
            "evidence":["extension","content"],"size":0,\#
            "sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",\#
            "verdict":"malformed",\#
            "reasons":[{"code":"not-an-archive","detail":"not a ZIP archive"}],"notes":[],"walletRefuses":[],\#
            "import":"refused"}
            """#
        #expect(try jsonLine(PassRecord(found)) == golden)
    }

    @Test("a link, complete and truncated")
    func link() throws {
        var found = FoundLink(
            source: "a.html", message: nil, part: "",
            link: Link(url: "https://x.example/a.pkpass", evidence: [.fileExtension, .host]))
        let golden = #"""
            {"version":1,"record":"link","source":"a.html","part":"",\#
            "url":"https://x.example/a.pkpass","evidence":["extension","host"]}
            """#
        #expect(try jsonLine(LinkRecord(found)) == golden)
        #expect(linkLine(found) == "link       https://x.example/a.pkpass  a.html")
        found.link = Link(url: "data:\u{202E}", size: 2_000_000, evidence: .mediaType)
        found.message = message
        let goldenCut = #"""
            {"version":1,"record":"link","source":"a.html",\#
            "message":{"index":11,"offset":4096,"messageID":"<1@example.org>",\#
            "from":"Ada <ada@example.org>","date":"Wed, 1 May 2024 10:00:00 +0000",\#
            "subject":"\u001b[31mTrip\#u{202E}"},"part":"","url":"data:\#u{202E}",\#
            "size":2000000,"evidence":["mime"]}
            """#
        #expect(try jsonLine(LinkRecord(found)) == goldenCut)
        #expect(linkLine(found) == #"link       data:\u{202E}... (2.0 MB)  a.html, message 12"#)
    }

    @Test("a problem, with a message and without one")
    func problem() throws {
        let problem = Problem(
            source: "mail.mbox", message: message, part: "1", .limit(.depth))
        let golden = #"""
            {"version":1,"record":"problem","source":"mail.mbox",\#
            "message":{"index":11,"offset":4096,"messageID":"<1@example.org>",\#
            "from":"Ada <ada@example.org>","date":"Wed, 1 May 2024 10:00:00 +0000",\#
            "subject":"\u001b[31mTrip\#u{202E}"},"part":"1","code":"limit-depth",\#
            "detail":"it is nested too deeply"}
            """#
        #expect(try jsonLine(ProblemRecord(ReportedProblem(problem))) == golden)
        let plain = Problem(source: "a", .unreadable(FileError(.open, 13)))
        let goldenPlain = #"""
            {"version":1,"record":"problem","source":"a","code":"unreadable",\#
            "detail":"cannot open: permission denied"}
            """#
        #expect(try jsonLine(ProblemRecord(ReportedProblem(plain))) == goldenPlain)
    }

    @Test("a summary")
    func summary() throws {
        var summary = Summary()
        (summary.sources, summary.messages, summary.parts, summary.bytes) = (1, 2, 3, 4)
        summary.candidates = 15
        summary.verdicts = [
            .trusted: 5, .untrusted: 4, .unsigned: 3, .tampered: 2, .malformed: 1,
        ]
        (summary.problems, summary.seconds) = (6, 1.23456)
        let golden = #"""
            {"version":1,"record":"summary","sources":1,"messages":2,"parts":3,"bytes":4,\#
            "candidates":15,"trusted":5,"untrusted":4,"unsigned":3,"tampered":2,"malformed":1,\#
            "problems":6,"seconds":1.235}
            """#
        #expect(try jsonLine(SummaryRecord(summary)) == golden)
        var withLinks = summary
        withLinks.links = 7
        let goldenWithLinks = golden.replacing(#""problems""#, with: #""links":7,"problems""#)
        #expect(try jsonLine(SummaryRecord(withLinks)) == goldenWithLinks)
        var rerun = summary
        rerun.unchanged = 19_990
        rerun.sources += 19_990
        let goldenRerun = golden.replacing(
            #""sources":1,"#, with: #""sources":19991,"unchanged":19990,"#)
        #expect(try jsonLine(SummaryRecord(rerun)) == goldenRerun)
        #expect(
            summaryLine(rerun)
                == "15 passes (5 trusted, 4 untrusted, 3 unsigned, 2 tampered, 1 malformed) in "
                + "2 messages, 19,991 sources, 4 bytes in 1.235 s; 19,990 unchanged since last "
                + "time (--all reads them too); 6 problems")
        rerun.linksNotFollowed = 2
        #expect(
            try jsonLine(SummaryRecord(rerun))
                == goldenRerun.replacing(
                    #""unchanged":19990,"#, with: #""unchanged":19990,"linksNotFollowed":2,"#))
        var linked = summary
        linked.linksNotFollowed = 1
        #expect(
            summaryLine(linked).hasSuffix(
                " in 1.235 s; 1 symbolic link not followed (--follow-symlinks follows those to "
                    + "folders); 6 problems"))
        #expect(
            summaryLine(linked, followsLinks: true).hasSuffix(
                " in 1.235 s; 1 symbolic link not followed; 6 problems"))
        #expect(
            summaryLine(summary)
                == "15 passes (5 trusted, 4 untrusted, 3 unsigned, 2 tampered, 1 malformed) in "
                + "2 messages, 1 source, 4 bytes in 1.235 s; 6 problems")
    }

    @Test("a problem printed as text names its location in one clause")
    func problemInWords() {
        let problem = ReportedProblem(
            source: "m\u{1B}.mbox", message: message, part: "1.2", code: "x",
            .verbatim("the part is cut off"))
        #expect(
            problemClause(problem)
                == #"m\u{1B}.mbox, message 12, part 1.2: the part is cut off"#)
    }
}
