import PassVerification
import Testing

@Suite("A pattern of pass types is an identifier, or the beginning of one followed by *")
struct PassTypePatternTests {
    @Test(
        "it matches",
        arguments: [
            ("pass.com.example.ticket", "pass.com.example.ticket"),
            ("pass.com.example.*", "pass.com.example.ticket"),
            ("pass.com.example.*", "pass.com.example.a.b"),
            ("pass.com.example.*", "pass.com.example."),
            ("pass.com.example*", "pass.com.example-air"),
            ("pass.com.example*", "pass.com.example"),
            ("pass.x_1-2*", "pass.x_1-2.3"),
        ])
    func matches(pattern: String, type: String) throws {
        #expect(try PassTypePattern(pattern).matches(type))
    }

    @Test(
        "it does not match",
        arguments: [
            ("pass.com.example.ticket", "pass.com.example.ticket2"),
            ("pass.com.example.ticket", "pass.com.example.Ticket"),
            ("pass.com.example.*", "pass.com.example"),
            ("pass.com.example.*", "pass.com.examplex.ticket"),
            ("pass.com.example.*", "PASS.com.example.ticket"),
            ("pass.com.example.*", "xpass.com.example.ticket"),
            ("pass.com.example.k*", "pass.com.example.\u{212A}"),
            ("pass.com.example.K*", "pass.com.example.\u{212A}"),
            ("pass.com.example.K", "pass.com.example.\u{212A}"),
            ("pass.com.example.e*", "pass.com.example.\u{301}e"),
            ("pass.com.example.ticket", ""),
        ])
    func differs(pattern: String, type: String) throws {
        #expect(try !PassTypePattern(pattern).matches(type))
    }

    /// Swift compares characters, so that the beginning of a character is not a prefix.
    @Test("bytes are compared, not characters")
    func bytes() throws {
        #expect(try PassTypePattern("pass.com.example.e*").matches("pass.com.example.e\u{301}"))
        #expect(try PassTypePattern("pass.a").matches("pass.a"))
    }

    @Test(
        "other texts are refused",
        arguments: [
            ("", PassTypePatternError.noPassType), ("pass", .noPassType),
            ("pass.", .noPassType), ("com.example.*", .noPassType),
            ("Pass.com.example", .noPassType),
            ("pass.a b", .noPassType), ("pass.\u{E9}*", .noPassType),
            ("pass.a\n", .noPassType), (" pass.a", .noPassType),
            ("pass.a,pass.b", .noPassType),
            ("pass.a?", .noPassType),
            ("*", .everyType), ("pass*", .everyType), ("pass.*", .everyType),
            ("pass.*.example", .wildcardNotLast),
            ("*.example", .wildcardNotLast), ("pass.a**", .wildcardNotLast),
        ])
    func refused(text: String, error: PassTypePatternError) {
        #expect(throws: error) { try PassTypePattern(text) }
    }
}
