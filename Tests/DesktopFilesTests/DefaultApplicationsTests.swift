import Testing

@testable import DesktopFiles

@Suite("A default is taken back, and nothing else of the list of defaults")
struct DefaultApplicationsTests {
    static let types = ["type/one", "type/two"]

    @Test(
        "whatever else became of the list",
        arguments: [
            // Nothing: the list is what it was, to the byte.
            (nil, "\n[Default Applications]\ntype/one=us\ntype/two=us\n", nil),
            ("", "\n[Default Applications]\ntype/one=us\ntype/two=us\n", ""),
            (
                "[Default Applications]\n\n\nother=x",
                "[Default Applications]\nother=x\ntype/one=us\n",
                "[Default Applications]\n\n\nother=x"
            ),
            (
                "[Default Applications]\ntype/one = x;y;\n",
                "[Default Applications]\ntype/one=us\ntype/two=us\n",
                "[Default Applications]\ntype/one = x;y;\n"
            ),
            // Half of it was done.
            (nil, "\n[Default Applications]\ntype/one=us\n", nil),
            // Another line came.
            (
                nil, "\n[Default Applications]\ntype/one=us\nother=z\n",
                "\n[Default Applications]\nother=z\n"
            ),
            (
                "[Default Applications]\ntype/one=x\n",
                "[Default Applications]\ntype/one=us\nother=z\ntype/two=us\n",
                "[Default Applications]\ntype/one=x\nother=z\n"
            ),
            (
                "[Added Associations]\na=b;\n",
                "[Added Associations]\na=b;c;\n\n[Default Applications]\ntype/one=us\n",
                "[Added Associations]\na=b;c;\n\n[Default Applications]\n"
            ),
            // Another choice was made for a type.
            (
                "[Default Applications]\ntype/one=x\n",
                "[Default Applications]\ntype/one=us\ntype/two=z\n",
                "[Default Applications]\ntype/one=x\ntype/two=z\n"
            ),
            (
                nil, "[Default Applications]\ntype/one=z;us;\n",
                "[Default Applications]\ntype/one=z;us;\n"
            ),
            // A type in another section is no default.
            (
                "[Removed Associations]\ntype/one=x;\n",
                "[Removed Associations]\ntype/one=x;\n\n[Default Applications]\ntype/one=us\n",
                "[Removed Associations]\ntype/one=x;\n"
            ),
        ] as [(String?, String, String?)])
    func undone(before: String?, now: String, expected: String?) {
        let restored = DefaultApplications(now).undoing(
            "us", for: Self.types, before: before.map { DefaultApplications($0) })
        #expect(restored?.text == expected)
    }

    @Test("the entries of a type, the one liked best first")
    func entries() {
        let list = DefaultApplications(
            "[Added Associations]\ntype/one=a\n[Default Applications]\n type/one = b; c ;\n")
        #expect(list.entries(for: "type/one") == ["b", "c"])
        #expect(list.entries(for: "type/two") == [])
    }
}
