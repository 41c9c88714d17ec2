import Fetching
import Testing

@testable import PassFetch

@Suite("The head of a response determines how its body is read")
struct AnswerTests {
    private let now = HTTPDate(seconds: 1_790_000_000)

    private func answer(
        _ status: Int, _ fields: HTTPFields = [:], offset: Int? = nil, validator: String? = nil,
        isConditional: Bool = false, maximumSize: Int = 1000,
        _ change: (inout ResourceRequest) -> Void = { _ in }
    ) throws -> Answer {
        var resource = ResourceRequest(
            target: try Target("https://h.example/a.pkpass", allowsHTTP: false), offset: offset,
            validator: validator, isConditional: isConditional,
            maximumSize: maximumSize)
        change(&resource)
        return Answer(ResponseHead(status: status, fields), to: resource, now: now)
    }

    private func response(_ answer: Answer) -> FetchResponse? {
        guard case .body(let response, _) = answer else { return nil }
        return response
    }

    private func failure(_ answer: Answer) -> FetchFailure? {
        guard case .failure(let failure) = answer else { return nil }
        return failure
    }

    @Test("a complete body, with the server's fields")
    func whole() throws {
        let answer = try answer(
            200,
            [
                "Content-Length": "12", "Content-Type": "application/vnd.apple.pkpass",
                "Content-Disposition": "attachment; filename=a.pkpass", "ETag": "\"x\"",
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
            ])
        var expected = FetchResponse(url: "https://h.example/a.pkpass", offset: 0)
        expected.contentType = "application/vnd.apple.pkpass"
        expected.contentDisposition = "attachment; filename=a.pkpass"
        expected.validator = "\"x\""
        expected.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
        expected.size = 12
        #expect(answer == .body(expected, announced: 12))
    }

    /// Expected: RFC 9110, 14.4 and 15.3.7.
    @Test(
        "a range is accepted if it begins at the requested offset",
        arguments: [
            ("bytes 10-19/20", 20), ("bytes 10-19/*", nil), ("BYTES 10-19/20", 20),
            ("bytes 10-14/20", 20),
        ] as [(String, Int?)])
    func part(range: String, size: Int?) throws {
        let response = response(
            try answer(206, ["Content-Range": range], offset: 10, validator: "\"x\""))
        #expect(response?.offset == 10)
        #expect(response?.size == size)
    }

    @Test(
        "any other range is requested again from the start",
        arguments: [
            ["Content-Range": "bytes 0-19/20"], ["Content-Range": "bytes 11-19/20"],
            ["Content-Range": "bytes 10-19/19"], ["Content-Range": "bytes 10-9/20"],
            ["Content-Range": "bytes */20"], ["Content-Range": "lines 10-19/20"],
            ["Content-Range": "bytes 10-99999999999999999999/*"], [:],
            ["Content-Range": "bytes 10-19/20", "Content-Length": "11"],
            ["Content-Range": "bytes 10-19/20", "ETag": "\"other\""],
            ["Content-Range": "bytes 10-19/20", "ETag": "W/\"x\""],
            ["Content-Type": "multipart/byteranges; boundary=x"],
        ])
    func otherPart(fields: [String: String]) throws {
        let fields = HTTPFields(fields)
        #expect(try answer(206, fields, offset: 10, validator: "\"x\"") == .fromTheStart)
    }

    @Test("a range that was not requested is accepted only if it is the whole body")
    func unasked() throws {
        #expect(response(try answer(206, ["Content-Range": "bytes 0-9/10"]))?.offset == 0)
        #expect(failure(try answer(206, ["Content-Range": "bytes 1-9/10"]))?.code == .http)
        #expect(failure(try answer(206))?.code == .http)
    }

    @Test("after 416 a range is requested again from the start")
    func unsatisfiable() throws {
        #expect(try answer(416, offset: 10, validator: "\"x\"") == .fromTheStart)
        #expect(failure(try answer(416))?.status == 416)
    }

    @Test("304 is accepted only after a conditional request")
    func notModified() throws {
        #expect(try answer(304, isConditional: true) == .notModified)
        #expect(failure(try answer(304))?.status == 304)
    }

    @Test("a POST is accepted with any status of success, and never redirected")
    func submissions() throws {
        let method = FetchRequest.Method.post
        for status in [200, 201, 202, 204, 206, 299] {
            let answer = try answer(status) { $0.method = method }
            #expect(answer == .accepted(status: status))
        }
        for status in [301, 302, 303, 307, 308] {
            for fields: HTTPFields in [["Location": "/x"], [:]] {
                let failure = failure(try answer(status, fields) { $0.method = method })
                #expect(failure?.reason == .redirectNotFollowed(host: "h.example"))
                #expect(failure?.code == .redirect)
                #expect(failure?.isTransient == false)
            }
        }
        for status in [304, 400, 401, 404, 416] {
            let failure = failure(try answer(status) { $0.method = method })
            #expect(failure?.status == status)
        }
    }

    @Test("redirects have a target", arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) throws {
        #expect(try answer(status, ["Location": "/x"]) == .redirect("/x"))
        #expect(failure(try answer(status))?.code == .redirect)
        #expect(failure(try answer(status, ["Location": ""]))?.code == .redirect)
    }

    @Test(
        "the status determines whether to retry",
        arguments: [
            (204, false), (205, false), (300, false), (400, false), (401, false), (403, false),
            (404, false), (408, true), (410, false), (418, false), (425, true), (429, true),
            (500, true), (501, false), (502, true), (503, true), (504, true), (599, false),
        ])
    func statuses(status: Int, isTransient: Bool) throws {
        let failure = failure(try answer(status))
        #expect(failure?.code == .status)
        #expect(failure?.status == status)
        #expect(failure?.isTransient == isTransient)
        #expect(failure?.reason == .status(host: "h.example", code: status))
    }

    @Test(
        "Retry-After",
        arguments: [
            ("120", 120), ("0", 0), ("99999999", 604_800), ("-1", nil), ("soon", nil), ("1.5", nil),
            ("99999999999999999999999", nil),
            // 1,790,000,000 is 2026-09-21 14:13:20 UTC (`date --utc --date=@1790000000`).
            ("Mon, 21 Sep 2026 14:15:20 GMT", 120), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 2033 08:49:37 GMT", 604_800),
        ] as [(String, Double?)])
    func delays(text: String, seconds: Double?) throws {
        #expect(failure(try answer(503, ["Retry-After": text]))?.retryAfter == seconds)
    }

    @Test("a body above the limit is refused by its length")
    func tooLarge() throws {
        #expect(response(try answer(200, ["Content-Length": "1000"])) != nil)
        #expect(failure(try answer(200, ["Content-Length": "1001"]))?.code == .size)
        let part: HTTPFields = ["Content-Range": "bytes 10-19/1001"]
        #expect(failure(try answer(206, part, offset: 10, validator: "\"x\""))?.code == .size)
        let unknown: HTTPFields = ["Content-Range": "bytes 10-1000/*"]
        #expect(failure(try answer(206, unknown, offset: 10, validator: "\"x\""))?.code == .size)
    }

    /// Expected: RFC 9110, 13.1.5 and 8.8.2.2.
    @Test(
        "the validator for a later request",
        arguments: [
            (["ETag": "\"x\""], "\"x\""), (["ETag": "\"\""], "\"\""), (["ETag": "W/\"x\""], nil),
            (["ETag": "x"], nil), (["ETag": "\"a\"b\""], nil), (["ETag": "\"a b\""], nil),
            (
                [
                    "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                    "Date": "Sun, 06 Nov 1994 08:50:37 GMT",
                ], "Sun, 06 Nov 1994 08:49:37 GMT"
            ),
            (
                [
                    "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                    "Date": "Sun, 06 Nov 1994 08:50:36 GMT",
                ], nil
            ),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
            (
                [
                    "ETag": "W/\"x\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                    "Date": "Sun, 06 Nov 1995 08:50:37 GMT",
                ], nil
            ),
            ([:], nil),
        ] as [([String: String], String?)])
    func validators(fields: [String: String], validator: String?) throws {
        let fields = HTTPFields(fields)
        #expect(response(try answer(200, fields))?.validator == validator)
    }

    @Test(
        "an unrequested encoding is reported, or refused if it is unknown",
        arguments: [
            ("gzip", "gzip", true), ("GZIP", "gzip", true), ("x-gzip", "x-gzip", true),
            ("deflate", nil, false), ("identity", nil, true), ("aws-chunked", nil, true),
            ("br", nil, false), ("gzip, br", nil, false), ("compress", nil, false),
        ] as [(String, String?, Bool)])
    func codings(value: String, coding: String?, isTaken: Bool) throws {
        let answer = try answer(200, ["Content-Encoding": value])
        #expect((response(answer) != nil) == isTaken)
        #expect(response(answer)?.contentEncoding == coding)
        #expect(isTaken || failure(answer)?.code == .http)
    }
}

extension HTTPFields {
    init(_ fields: [String: String]) {
        self.init()
        for (name, value) in fields { append(name, value) }
    }
}
