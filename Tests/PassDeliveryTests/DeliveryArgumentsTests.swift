import MailSource
import Testing

@testable import PassDelivery

@Suite("Options of passconduit import are passed on unchanged, all others are usage errors")
struct DeliveryArgumentsTests {
    private func arguments(_ words: [String]) throws(UsageError) -> DeliveryArguments {
        try DeliveryArguments(words.map { Array($0.utf8) })
    }

    @Test(
        "options that are passed on",
        arguments: [
            [], ["--library", "a b"], ["--library=/var/lib/passes"], ["--library=-x"],
            ["--trust-root", "a.pem", "--trust-root=b.pem", "--library", "c"],
        ])
    func handedOn(words: [String]) throws {
        let arguments = try arguments(words)
        #expect(arguments.request == .delivery)
        #expect(arguments.options == words.map { Array($0.utf8) })
    }

    @Test(
        "options for the message",
        arguments: [
            ([], false, false, false, nil), (["--tee"], true, false, false, nil),
            (["--header"], true, true, false, nil), (["--spool"], false, false, true, nil),
            (["--spool=a b", "--tee", "--header"], true, true, true, "a b"),
        ] as [([String], Bool, Bool, Bool, String?)])
    func message(
        words: [String], isTee: Bool, addsHeader: Bool, isSpooling: Bool, folder: String?
    ) throws {
        let arguments = try arguments(words)
        #expect(arguments.isTee == isTee && arguments.addsHeader == addsHeader)
        #expect(arguments.isSpooling == isSpooling)
        #expect(arguments.spoolFolder?.description == folder)
        #expect(arguments.options.isEmpty)
    }

    @Test(
        "the deadline, which is not passed on",
        arguments: [
            ([], 240), (["--deadline=1"], 1), (["--deadline", "86400"], 86_400),
            (["--deadline=5", "--deadline", "007"], 7),
        ])
    func deadline(words: [String], seconds: Int) throws {
        let arguments = try arguments(words)
        #expect(arguments.limits.deadline == seconds)
        #expect(arguments.options.isEmpty)
    }

    @Test("a path need not be UTF-8")
    func bytes() throws {
        let words: [[UInt8]] = [Array("--library".utf8), [0x2F, 0xFF, 0xFE]]
        #expect(try DeliveryArguments(words).options == words)
    }

    @Test(
        "--help and --version",
        arguments: [
            (["--help"], .help), (["-h"], .help), (["--version"], .version),
            (["--library", "a", "--help"], .help),
        ] as [([String], DeliveryArguments.Request)])
    func requests(words: [String], request: DeliveryArguments.Request) throws {
        #expect(try arguments(words).request == request)
    }

    @Test(
        "usage errors",
        arguments: [
            (["message.eml"], "unexpected argument 'message.eml'"),
            (["-"], "unexpected argument '-'"), ([""], "unexpected argument ''"),
            (["--json"], "unexpected argument '--json'"),
            (["--librarydir"], "unexpected argument '--librarydir'"),
            (["--accept", "unsigned"], "unexpected argument '--accept'"),
            (["--library"], "--library needs the name of a folder"),
            (["--library", ""], "--library needs the name of a folder"),
            (["--library="], "--library needs the name of a folder"),
            (["--library", "--help"], "--library needs the name of a folder"),
            (["--spool="], "--spool= needs the name of a folder"),
            (["--spool", "folder"], "unexpected argument 'folder'"),
            (["--deadline"], "--deadline needs a number of seconds, from 1 to 86400"),
            (["--deadline="], "--deadline needs a number of seconds, from 1 to 86400"),
            (["--deadline=0"], "--deadline needs a number of seconds, from 1 to 86400"),
            (["--deadline", "86401"], "--deadline needs a number of seconds, from 1 to 86400"),
            (["--deadline=1m"], "--deadline needs a number of seconds, from 1 to 86400"),
            (["--deadline=+1"], "--deadline needs a number of seconds, from 1 to 86400"),
            (
                ["--deadline", "99999999999999999999"],
                "--deadline needs a number of seconds, from 1 to 86400"
            ),
            (["--tee=x"], "unexpected argument '--tee=x'"),
            (["--library", "a", "--trust-root"], "--trust-root needs the name of a file"),
        ])
    func mistakes(words: [String], clause: String) {
        do throws(UsageError) {
            let arguments = try arguments(words)
            Issue.record("\(arguments)")
        } catch {
            #expect(error.text == clause)
        }
    }
}
