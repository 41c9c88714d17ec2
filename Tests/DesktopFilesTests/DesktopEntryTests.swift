import Testing

@testable import DesktopFiles
@testable import PassDetection

@Suite(
    "The desktop entry names the program, and its media types are those that mail is searched for")
struct DesktopEntryTests {
    // Quoting follows the Desktop Entry Specification 1.5, "The Exec key".
    @Test(
        "the path is quoted if necessary",
        arguments: [
            ("/opt/bin/passconduit", "/opt/bin/passconduit"),
            ("/home/a b/passconduit", #""/home/a b/passconduit""#),
            ("/home/$b/passconduit", #""/home/\\$b/passconduit""#),
            (#"/home/\b/passconduit"#, #""/home/\\\\b/passconduit""#),
            (#"/home/"b"/passconduit"#, #""/home/\\"b\\"/passconduit""#),
        ])
    func named(path: String, word: String) throws {
        let entry = try #require(DesktopFile.opener.naming("passconduit", at: path))
        let lines = String(decoding: entry.bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("Exec=\(word) open %U"))
        #expect(lines.contains { $0.hasPrefix("TryExec=/") })
        #expect(!lines.contains { $0.hasSuffix("=passconduit") })
        #expect(entry.place == DesktopFile.opener.place)
    }

    @Test(
        "a path that a desktop entry cannot contain is refused",
        arguments: ["/a=b/passconduit", "/100%/passconduit"])
    func unnameable(path: String) {
        #expect(DesktopFile.opener.naming("passconduit", at: path) == nil)
    }

    @Test("each media type searched for in mail is known to the desktop and to mail programs")
    func mediaTypes() {
        let known = String(decoding: DesktopFile.types.bytes, as: UTF8.self)
        let mailcap = Mailcap.lines(forProgramAt: nil) ?? ""
        let entry = String(decoding: DesktopFile.opener.bytes, as: UTF8.self)
        for type in UniformType.pass.mediaTypes + UniformType.passes.mediaTypes {
            #expect(known.contains("type=\"\(type)\""))
            #expect(mailcap.contains("\n\(type); passconduit open %s < /dev/null > /dev/null;"))
            #expect(mailcap.contains("\n\(type); passconduit verify %s; copiousoutput;"))
        }
        #expect(
            DesktopFile.mediaTypes
                == [UniformType.pass, .passes].compactMap(\.mediaTypes.first))
        #expect(entry.contains("\nMimeType=\(DesktopFile.openedTypes.joined(separator: ";"));\n"))
    }

    @Test("the scheme of passURLs belongs to the desktop entry alone, since files have no scheme")
    func scheme() {
        let scheme = "x-scheme-handler/passconduit"
        #expect(DesktopFile.openedTypes == DesktopFile.mediaTypes + [scheme])
        let types = String(decoding: DesktopFile.types.bytes, as: UTF8.self)
        #expect(!types.contains("x-scheme-handler"))
        #expect(Mailcap.lines(forProgramAt: nil)?.contains("x-scheme-handler") == false)
    }
}
