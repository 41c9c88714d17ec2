import MIME
import Testing

@testable import PassDetection

@Suite("A name or a type is evidence of a pass if any system uses it for passes")
struct TypeMapTests {
    @Test(
        "media types that senders use",
        arguments: [
            ("application/vnd.apple.pkpass", true), ("application/vnd.apple.pkpasses", true),
            ("Application/VND.Apple.PKPass", true), ("application/pkpass", true),
            ("application/vnd-com.apple.pkpass", true), ("application/vndapplepkpass", true),
            ("application/x-apple-pkpass", true), ("application/x-passbook", true),
            ("application/x-pkpass", true), ("application/vnd.apple.pkpass; charset=x", true),
            ("application/vnd.apple.pkpass2", false), ("application/octet-stream", false),
            ("application/zip", false), ("text/html", false), ("application/pdf", false),
        ])
    func mediaTypes(type: String, isPass: Bool) {
        let header = MailPart.header("Content-Type: \(type)\n")
        #expect(TypeMap.builtIn.evidence(header) == (isPass ? .mediaType : []))
    }

    @Test(
        "file names",
        arguments: [
            ("ticket.pkpass", true), ("TICKET.PKPASS", true), ("a b.PkPass", true),
            ("Fahrkarte für zwei.pkpasses", true), (".pkpass", true), ("a.pdf.pkpass", true),
            ("ticket.pkpass.pdf", false), ("pkpass.jpg", false), ("pkpass", false), ("", false),
            ("ticket.p\u{212A}pass", false), ("ticket.pkpass2", false), ("ticket.", false),
            ("ticket.zip", false),
            ("a." + String(repeating: "x", count: 100_000), false),
        ])
    func names(name: String, isPass: Bool) {
        #expect(TypeMap.builtIn.isPassName(name) == isPass)
        #expect(
            TypeMap.builtIn.evidence(PartHeader(names: ["x", name]))
                == (isPass ? .fileExtension : []))
    }

    @Test(
        "uniform type identifiers, wherever mailers put them",
        arguments: [
            ("Content-Type: com.apple.pkpass\n", true), ("Content-Type: COM.Apple.PKPASS\n", true),
            ("Content-Type: application/x; x-uti=com.apple.pkpass\n", true),
            ("X-Apple-UTI: com.apple.pkpasses\n", true),
            ("Content-Type: com.apple.pkpass.other\n", false),
            ("Content-Type: application/x; name=com.apple\n", false),
        ])
    func identifiers(field: String, isPass: Bool) {
        let evidence = TypeMap.builtIn.evidence(MailPart.header(field))
        #expect(evidence.contains(.typeIdentifier) == isPass)
    }

    @Test(
        "all evidence is listed in the documented order, with its name and type")
    func together() {
        let header = MailPart.header(
            """
            Content-Type: application/x; name=a.bin; x-uti=com.apple.pkpass
            Content-Type: application/x-pkpass
            Content-Disposition: attachment; filename=b.pkpass

            """)
        let types = TypeMap.builtIn
        var evidence = types.evidence(header)
        evidence.insert(.content)
        #expect(evidence.names == ["extension", "mime", "uti", "content"])
        #expect(types.preferredName(header) == "b.pkpass")
        #expect(types.preferredMediaType(header) == "application/x-pkpass")
        #expect(types.preferredName(PartHeader(names: ["a", "b"])) == "a")
        #expect(types.preferredName(PartHeader(names: [])) == "")
    }

    @Test(
        "declared types count if they lead to a pass, in any order and case, even through cycles")
    func chains() {
        let types = TypeMap([
            type("org.c", ["org.b"], "c"), type("org.b", ["org.a", "org.c"], "b"),
            type("org.a", ["COM.apple.pkpass"], "A"), type("org.x", ["org.y"], "x"),
            type("org.y", ["org.x", "public.data"], "y"), type("org.self", ["org.self"], "self"),
            type("com.apple.PKPASS", [], "again"),
        ])
        let names = ["c", "b", "a", "x", "y", "self", "again", "pkpass"]
        #expect(
            names.filter { types.isPassName("n.\($0)") } == ["c", "b", "a", "again", "pkpass"])
        let header = MailPart.header("Content-Type: Application/X-C; u=ORG.C\n")
        #expect(types.evidence(header) == [.mediaType, .typeIdentifier])
    }

    @Test("the name of an encoded pass counts, but not in a link")
    func encodedNames() {
        let types = TypeMap.builtIn
        for name in ["t.pkpass.b64", "t.PKPASSES.Base64", "t.pkpass.uue", "t.pkpass.uu"] {
            #expect(types.evidence(PartHeader(names: [name])) == .fileExtension, "\(name)")
            #expect(!types.isPassName(name), "\(name)")
        }
        for name in ["t.b64", "pkpass.b64", "t.pkpass.txt", ".b64"] {
            #expect(types.evidence(PartHeader(names: [name])) == [], "\(name)")
        }
    }

    @Test("a long chain is followed to its end")
    func longChain() {
        let chain = (0..<20_000).map { type("t.\($0)", ["t.\($0 + 1)"], "e\($0)") }
        let types = TypeMap(chain + [type("t.20000", ["com.apple.pkpass"], "last")])
        #expect(types.isPassName("x.e0"))
    }

    private func type(_ identifier: String, _ parents: [String], _ tag: String) -> UniformType {
        UniformType(
            identifier: identifier, conformsTo: parents, fileExtensions: [tag],
            mediaTypes: ["application/x-\(tag)"])
    }
}
