import PassSigning
import Testing

@Suite("Values of pass.json are set, and all its other bytes stay")
struct PassEditTests {
    @Test(
        "as wanted",
        arguments: [
            (#"{"a": 1}"#, "a", "2", #"{"a": 2}"#),
            (#"{ "voided" : false }"#, "voided", "true", #"{ "voided" : true }"#),
            // A key that is missing, and a comment, which Wallet tolerates.
            (#"{/* x */"a": 1}"#, "logoText", "B\u{1}", #"{"logoText":"B\u0001",/* x */"a": 1}"#),
            // Of repeated keys, all.
            (#"{"a": "x", "a": "y"}"#, "a", "z", #"{"a": "z", "a": "z"}"#),
            // The same text, written in another way.
            (#"{"a": "\u0078"}"#, "a", "x", #"{"a": "\u0078"}"#),
            // Equal in Swift, but of other bytes.
            (#"{"a": "é"}"#, "a", "e\u{301}", "{\"a\": \"e\u{301}\"}"),
            (
                #"{"coupon": {"backFields": [{"key": "a"}]}, "a": "x"}"#, "a", "z",
                #"{"coupon": {"backFields": [{"value":"z","key": "a"}]}, "a": "x"}"#
            ),
        ])
    func values(json: String, key: String, value: String, expected: String) throws {
        let folder = PassFolder(["pass.json": Array(json.utf8), "icon.png": [1]])
        let edited = try folder.setting([PassEdit(key, value)])
        #expect(edited.files["pass.json"] == Array(expected.utf8))
        #expect(edited.files["icon.png"] == [1])
    }

    @Test(
        "not as another type",
        arguments: [
            (#"{"a": 1}"#, "a", "x"), (#"{"a": 1}"#, "a", "01"), (#"{"a": true}"#, "a", "1"),
            (#"{"a": []}"#, "a", "x"), (#"{"a": null}"#, "a", "x"), ("{}", "a", "x"),
            ("{}", "relevantDate", "2026-02-30T10:00Z"), ("{}", "expirationDate", "2027"),
            ("{}", "expirationDate", "2027-05-01"), ("{}", "relevantDate", "2027-05-01T10:00"),
            ("{}", "webServiceURL", "example.com"),
            ("{}", "barcodes", "x"), ("{}", "teamIdentifier", "x"), ("[]", "logoText", "x"),
        ])
    func refusals(json: String, key: String, value: String) {
        let folder = PassFolder(["pass.json": Array(json.utf8)])
        #expect(throws: PassEditError.self) { try folder.setting([PassEdit(key, value)]) }
    }
}
