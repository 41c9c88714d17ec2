import Testing

@testable import DesktopFiles

@Suite("Lines are added to a mailcap and removed again without changing another byte")
struct MailcapTests {
    static let lines =
        "# passconduit: begin\napplication/x; passconduit open %s\n# passconduit: end\n"

    @Test(
        "whatever its last byte is",
        arguments: [
            ("", lines),
            ("text/html; lynx %s\n", lines),
            ("text/html; lynx %s", "\n" + lines),
            ("text/html; lynx \\\n", "\n" + lines),
            ("text/html; lynx \\", "\n\n" + lines),
            ("\n", lines),
        ])
    func added(contents: String, addition: String) {
        let bytes = Array(contents.utf8)
        #expect(Mailcap.addition(of: Self.lines, to: bytes) == addition)
        #expect(Mailcap.contents(bytes + Array(addition.utf8), without: addition) == bytes)
    }

    @Test("lines added later are kept, each on its own line")
    func addedBehind() {
        let now = Array(("a; b\n" + Self.lines + "c; d\n").utf8)
        #expect(Mailcap.contents(now, without: "\n" + Self.lines) == Array("a; b\nc; d\n".utf8))
    }

    @Test("changed lines are not found and stay")
    func changed() {
        let now = Array(Self.lines.replacing("open", with: "show").utf8)
        #expect(Mailcap.contents(now, without: Self.lines) == nil)
    }

    @Test(
        "the program's path is quoted for a shell",
        arguments: [
            ("/opt/pass/passconduit", "/opt/pass/passconduit"),
            ("/home/a b/passconduit", "'/home/a b/passconduit'"),
            ("/home/$HOME/passconduit", "'/home/$HOME/passconduit'"),
        ])
    func named(path: String, word: String) throws {
        let lines = try #require(Mailcap.lines(forProgramAt: path))
        #expect(lines.contains("\napplication/vnd.apple.pkpass; \(word) open %s < /dev/null >"))
        #expect(lines.contains("\napplication/vnd.apple.pkpass; \(word) verify %s; "))
        #expect(!lines.contains("; passconduit "))
    }

    @Test(
        "a path with a special meaning in a mailcap is refused",
        arguments: ["/a;b", "/a'b", "/a%s", "/a\\b"])
    func unnameable(path: String) {
        #expect(Mailcap.lines(forProgramAt: path) == nil)
    }
}
