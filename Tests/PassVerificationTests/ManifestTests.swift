import Archives
import Testing

@testable import PassVerification

@Suite("A manifest is one JSON object of strings with unique keys")
struct ManifestTests {
    @Test(
        "its entries are read",
        arguments: [
            ("{}", [:]),
            (" { } \n", [:]),
            (#"{"a":"00"}"#, ["a": "00"]),
            (#"{"a":"AB", "b/c" : "cd",}"#, ["a": "ab", "b/c": "cd"]),
            (#"{"gr\u00fcn\/\"\\\n":"00"}"#, ["grün/\"\\\n": "00"]),
            (#"{"\ud83d\ude00":"00"}"#, ["😀": "00"]),
            (#"{"a":"00","a":"00"}"#, ["a": "00"]),
            ("{\"a\u{1}\tb\n\":\"00\"}", ["a\u{1}\tb\n": "00"]),
            (#"{"gr\u00fcn":"00","gru\u0308n":"01"}"#, ["gr\u{fc}n": "00", "gru\u{308}n": "01"]),
        ] as [(String, [EntryName: String])])
    func hashes(text: String, expected: [EntryName: String]) throws {
        #expect(try Manifest(Array(text.utf8), limit: 100).hashes == expected)
    }

    @Test("in other encodings", arguments: [true, false], [true, false])
    func utf16(isBig: Bool, hasMark: Bool) throws {
        let text = (hasMark ? "\u{feff}" : "") + #"{"grün":"00"}"#
        let bytes = text.utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
            return isBig ? [high, low] : [low, high]
        }
        let manifest = try Manifest(bytes, limit: 100)
        #expect(manifest.hashes == ["grün": "00"])
        #expect(manifest.notes.map(\.code) == ["manifest-encoding"])
    }

    @Test(
        "invalid manifests",
        arguments: [
            "", "x", "[]", "{", "{\"a\"", "{\"a\":", "{\"a\":\"00\"", "{\"a\":\"00\"}x", "{,}",
            "{\"a\":null}", "{\"a\":{\"b\":\"c\"}}", "{\"a\":[\"b\"]}", "{\"a\":1}", "{a:\"b\"}",
            "{\"a\":\"b\" \"c\":\"d\"}", "{\"a\":\"b\",,}", "{\"\\x\":\"b\"}", "{\"\\u12\":\"b\"}",
            "{\"\\ud83d\":\"b\"}", "{\"\\u+123\":\"b\"}", "{\"a\":\"00\",\"a\":\"01\"}",
            "{\"a\":\"00\",\"\\u0061\":\"01\"}",
        ])
    func refused(text: String) {
        #expect(throws: ManifestError.self) { try Manifest(Array(text.utf8), limit: 100) }
    }

    @Test("bytes that are not text are refused")
    func notText() {
        let bytes = Array("{\"a".utf8) + [0xff] + Array("\":\"00\"}".utf8)
        #expect(throws: ManifestError.notText) { try Manifest(bytes, limit: 100) }
    }

    @Test("more paths than the limit are refused")
    func paths() throws {
        let bytes = Array(#"{"a":"00","b":"00"}"#.utf8)
        #expect(try Manifest(bytes, limit: 2).hashes.count == 2)
        #expect(throws: ManifestError.tooManyPaths(limit: 1)) { try Manifest(bytes, limit: 1) }
    }

    @Test("no truncated manifest causes a trap")
    func prefixes() {
        let bytes = Array(#"{"gr\u00fc\ud83d\ude00n":"AB","b":"cd",}"#.utf8)
        for count in bytes.indices {
            #expect(throws: ManifestError.self) { try Manifest(Array(bytes[..<count]), limit: 100) }
        }
    }
}
