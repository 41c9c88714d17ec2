import PassImport
import PassLinks
import Testing

@Suite("A host is converted to its DNS name")
struct WebURLHostTests {
    // Expected: Python's encodings.idna, except for the sharp s, which RFC 5891 keeps.
    @Test(
        arguments: [
            ("x.example", "x.example"), ("m\u{FC}nchen.example", "xn--mnchen-3ya.example"),
            ("M\u{DC}NCHEN.example", "xn--mnchen-3ya.example"),
            ("xn--mnchen-3ya.example", "xn--mnchen-3ya.example"),
            ("\u{65E5}\u{672C}\u{8A9E}.jp", "xn--wgv71a119e.jp"),
            ("fa\u{DF}.example", "xn--fa-hia.example"),
            ("m%C3%BCnchen.example", "xn--mnchen-3ya.example"),
            ("x\u{3002}example", "x.example"), ("\u{FF11}27.0.0.1", "127.0.0.1"),
            ("\u{202E}x.example", nil), ("\u{FF0F}x.example", nil),
        ] as [(String, String?)])
    func name(host: String, ascii: String?) {
        let url = WebURL("https://\(host):8443/p?q")
        #expect(url?.inASCII?.text == ascii.map { "https://\($0):8443/p?q" })
    }
}
