import Testing

@testable import DesktopFiles

@Suite("A default is reverted without other changes to the list of defaults")
struct DefaultApplicationsTests {
    static let types = ["type/one", "type/two"]

    @Test(
        "after any other change to the list",
        arguments: [
            // No other change: the list is restored byte for byte.
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
            // Only one type was set.
            (nil, "\n[Default Applications]\ntype/one=us\n", nil),
            // Another line was added.
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
            // Another program was chosen for a type.
            (
                "[Default Applications]\ntype/one=x\n",
                "[Default Applications]\ntype/one=us\ntype/two=z\n",
                "[Default Applications]\ntype/one=x\ntype/two=z\n"
            ),
            (
                nil, "[Default Applications]\ntype/one=z;us;\n",
                "[Default Applications]\ntype/one=z;us;\n"
            ),
            // A type in another section is not a default.
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

    @Test("the entries of a type in order of preference")
    func entries() {
        let list = DefaultApplications(
            "[Added Associations]\ntype/one=a\n[Default Applications]\n type/one = b; c ;\n")
        #expect(list.entries(for: "type/one") == ["b", "c"])
        #expect(list.entries(for: "type/two") == [])
    }
}
