import PassUpdates
import Testing

@Suite("The lines of a stream become events, as in a browser")
struct EventStreamParserTests {
    private typealias Event = ServerSentEvent

    /// The events of a stream, whose lines end with LF, CRLF or CR.
    private func events(_ stream: String, _ parser: inout EventStreamParser) -> [ServerSentEvent] {
        let scalars = Array(stream.replacing("\r\n", with: "\n").unicodeScalars)
        var lines = scalars.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }
        lines.removeLast()
        return lines.compactMap { line in
            parser.take(String(String.UnicodeScalarView(line)))
        }
    }

    private func events(_ stream: String) -> [ServerSentEvent] {
        var parser = EventStreamParser()
        return events(stream, &parser)
    }

    /// Expected: the examples of WHATWG HTML, 9.2.6, and the files `eventsource/format-*` of
    /// web-platform-tests.
    @Test(
        "data",
        arguments: [
            ("data: YHOO\ndata: +2\ndata: 10\n\n", ["YHOO\n+2\n10"]),
            ("data\n\ndata\ndata\n\ndata:", ["", "\n"]),
            ("data:test\n\ndata: test\n\n", ["test", "test"]),
            (": test stream\n\ndata: first event\nid: 1\n\n", ["first event"]),
            ("\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n", ["1", "3"]),
            ("\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\ndata:3\n\n", ["2", "3"]),
            (
                "data:1\r:\0\n:\r\ndata:2\n:\(String(repeating: "x", count: 2048))\rdata:3\n"
                    + ":data:fail\r:\(String(repeating: "x", count: 2048))\ndata:4\n\n",
                ["1\n2\n3\n4"]
            ),
            ("retry:1000\ndata:test1\n\nid:test\ndata:test2", ["test1"]),
            (
                "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\n"
                    + "data:3\rdata:\r\n data:32\ndata:4\n\n",
                ["\0\n 2\n1\n3\n\n4"]
            ),
            ("data:\ttest\rdata: \ndata:test\n\n", ["\ttest\n\ntest"]),
            ("data:test\r\ndata\ndata:test\r\n\r", ["test\n\ntest"]),
            ("data:\0\n\n\n\n", ["\0"]),
            (
                "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\n"
                    + "data:test\n\n",
                ["test\n\ntest"]
            ),
            ("data:ok\u{2026}\u{301}\n\ndata:\u{301}x\n\n", ["ok\u{2026}\u{301}", "\u{301}x"]),
            ("", []), ("\n\n\n", []), ("event: x\n\n", []), (":\n\n:\n\n", []),
        ])
    func data(stream: String, expected: [String]) {
        #expect(events(stream).map(\.data) == expected)
    }

    @Test(
        "types",
        arguments: [
            ("event:test\ndata:x\n\ndata:x\n\n", ["test", "message"]),
            ("event: \ndata:data\n\n", ["message"]),
            ("event\ndata:data\n\n", ["message"]),
            ("event: a\nevent: b\ndata\n\n", ["b"]),
            ("event: lost\n\ndata\n\n", ["message"]),
        ])
    func types(stream: String, expected: [String]) {
        #expect(events(stream).map(\.event) == expected)
    }

    @Test(
        "identifiers, which apply until there is another",
        arguments: [
            ("id: 1\ndata\n\ndata\n\nid: 2\ndata\n\n", ["1", "1", "2"], "2"),
            ("id: 1\ndata\n\nid\ndata\n\n", ["1", ""], ""),
            ("id: 1\ndata\n\nid: a\0b\ndata\n\n", ["1", "1"], "1"),
            ("id: 1\n\ndata\n\n", ["1"], "1"),
            ("id: 1\ndata\n\nid: 2\n\n", ["1"], "2"),
            ("id: 1\ndata\n\nid: 2\ndata\n", ["1"], "1"),
            ("data\n\n", [""], ""),
        ])
    func identifiers(stream: String, expected: [String], last: String) {
        var parser = EventStreamParser()
        #expect(events(stream, &parser).map(\.id) == expected)
        #expect(parser.lastEventID == last)
    }

    @Test(
        "the delay before the next connection",
        arguments: [
            ("retry: 1500\n", 1.5), ("retry:3000\nretry:1000x\n", 3), ("retry\n", nil),
            ("retry: -1\n", nil), ("retry: 1.5\n", nil), ("retry: \u{661}\n", nil),
            ("retry: 99999999999999999999\n", nil), ("retry: 0\n", 0),
        ] as [(String, Double?)])
    func retry(stream: String, seconds: Double?) {
        var parser = EventStreamParser()
        _ = events(stream, &parser)
        #expect(parser.retry == seconds)
    }

    @Test("an event that is too long is left out, and its identifier too")
    func longEvent() {
        var parser = EventStreamParser(longestData: 10)
        let stream = """
            id: 1
            data: 12345
            data: 7890

            id: 2
            data: 12345
            data: 78901

            data: x

            id: 3
            data: 12345678901
            data: 1

            """
        #expect(
            events(stream + "\n\n", &parser) == [
                Event(id: "1", event: "message", data: "12345\n7890"),
                Event(id: "1", event: "message", data: "x"),
            ])
        #expect(parser.lastEventID == "1")
    }

    @Test("the time for many lines of data is proportional to their number")
    func manyLines() {
        var parser = EventStreamParser(longestData: 1 << 20)
        for _ in 0..<200_000 { _ = parser.take("data:x") }
        #expect(parser.take("")?.data.utf8.count == 399_999)
    }
}
