import Fetching
import Testing

@testable import PassFetch

@Suite("A range is appended only if it belongs to the same body")
struct PartVersionTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func answer(
        _ fields: HTTPFields, validator: String, expectedSize: Int? = nil
    ) throws -> Answer {
        let resource = ResourceRequest(
            target: try Target("https://h.example/a.pkpass", allowsHTTP: false), offset: 10,
            validator: validator, expectedSize: expectedSize, maximumSize: 1000)
        return Answer(
            ResponseHead(status: 206, fields), to: resource, now: HTTPDate(seconds: 1_790_000_000))
    }

    private func body(_ answer: Answer) throws -> FetchResponse {
        guard case .body(let response, _) = answer else { throw NoBody() }
        return response
    }

    private struct NoBody: Error {}

    /// Expected: RFC 9110, 15.3.7.3.
    @Test(
        "if its validators match, as far as the server sends any",
        arguments: [
            (["ETag": "\"x\""], "\"x\"", true), (["ETag": "\"y\""], "\"x\"", false),
            (["Last-Modified": date], "\"x\"", false),
            (["ETag": "\"x\"", "Last-Modified": date], "\"x\"", true),
            (["Last-Modified": date], date, true),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT"], date, false),
            (["ETag": "\"x\""], date, false),
            (["ETag": "\"x\"", "Last-Modified": date], date, true),
            ([:], "\"x\"", true), ([:], date, true),
        ] as [([String: String], String, Bool)])
    func version(fields: [String: String], validator: String, fits: Bool) throws {
        var fields = HTTPFields(fields)
        fields.append("Content-Range", "bytes 10-19/20")
        let answer = try answer(fields, validator: validator)
        #expect((answer == .fromTheStart) == !fits)
        // A validator that is not sent again remains valid.
        if fits { #expect(try body(answer).validator == validator) }
    }

    @Test(
        "if its total length matches the length declared before",
        arguments: [
            ("20", 20, true), ("*", 20, true), ("20", nil, true), ("20", 21, false),
            ("*", 19, false),
        ]
            as [(String, Int?, Bool)])
    func announced(size: String, expected: Int?, fits: Bool) throws {
        let fields: HTTPFields = ["Content-Range": "bytes 10-19/\(size)"]
        let answer = try answer(fields, validator: "\"x\"", expectedSize: expected)
        #expect((answer == .fromTheStart) == !fits)
        if fits { #expect(try body(answer).size == 20) }
    }
}
