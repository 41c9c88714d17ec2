import Testing

@testable import Fetching

@Suite("A request is sent to passconduit-fetch as a line of JSON")
struct FetchRequestTests {
    private func request(_ change: (inout FetchRequest) -> Void) -> FetchRequest {
        var request = FetchRequest(id: 1, url: "https://a.example/", file: "a", FetchTerms())
        change(&request)
        return request
    }

    @Test("it can be decoded unchanged")
    func roundTrip() throws {
        let requests = [
            request { _ in },
            request {
                $0.method = .post
                $0.json = "{\"a\":\"\n\u{1F3AB}\"}"
                $0.authenticationToken = "x"
            },
            request { $0.method = .delete },
            request {
                $0.isStream = true
                $0.accept = "text/event-stream"
                $0.lastEventID = "1742"
            },
        ]
        for request in requests {
            let line = try JSONLines.line(FetchOrder.get(request))
            #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
            #expect(
                try JSONLines.value(FetchOrder.self, from: Array(line.dropLast()))
                    == .get(request))
        }
    }

    @Test("only a GET that is not a stream writes a file")
    func files() {
        for method in [FetchRequest.Method.get, .post, .delete] {
            for isStream in [false, true] {
                let request = request { ($0.method, $0.isStream) = (method, isStream) }
                #expect(request.writesFile == (method == .get && !isStream))
            }
        }
    }

    @Test("only some properties may be combined")
    func consistency() {
        let resumption = FetchRequest.Resumption(offset: 1, validator: "\"x\"")
        let rows: [(Bool, (inout FetchRequest) -> Void)] = [
            (true, { _ in }),
            (true, { $0.resumption = resumption }),
            (true, { $0.modifiedSince = "x" }),
            (true, { $0.accept = "application/json" }),
            (false, { $0.json = "{}" }),
            (false, { $0.lastEventID = "1" }),
            (true, { $0.isStream = true }),
            (true, { ($0.isStream, $0.lastEventID) = (true, "1") }),
            (false, { ($0.isStream, $0.json) = (true, "{}") }),
            (false, { ($0.isStream, $0.resumption) = (true, resumption) }),
            (false, { ($0.isStream, $0.modifiedSince) = (true, "x") }),
            (false, { $0.method = .post }),
            (true, { ($0.method, $0.json) = (.post, "{}") }),
            (false, { ($0.method, $0.json, $0.isStream) = (.post, "{}", true) }),
            (false, { ($0.method, $0.json, $0.lastEventID) = (.post, "{}", "1") }),
            (false, { ($0.method, $0.json, $0.modifiedSince) = (.post, "{}", "x") }),
            (false, { ($0.method, $0.json, $0.resumption) = (.post, "{}", resumption) }),
            (true, { $0.method = .delete }),
            (false, { ($0.method, $0.json) = (.delete, "{}") }),
            (false, { ($0.method, $0.isStream) = (.delete, true) }),
        ]
        for (index, (isConsistent, change)) in rows.enumerated() {
            #expect(request(change).isConsistent == isConsistent, "row \(index)")
        }
    }

    @Test("events have the form that their type documents")
    func events() throws {
        let events: [(FetchEvent, String)] = [
            (.line(id: 1, "data: x"), #"{"line":{"id":1,"_1":"data: x"}}"#),
            (
                .notModified(id: 1, announcesEvents: true),
                #"{"notModified":{"id":1,"announcesEvents":true}}"#
            ),
            (
                .answered(id: 1, status: 201, isRepeated: false),
                #"{"answered":{"id":1,"isRepeated":false,"status":201}}"#
            ),
        ]
        for (event, text) in events {
            #expect(try JSONLines.value(FetchEvent.self, from: Array(text.utf8)) == event)
            #expect(event.id == 1)
        }
    }
}
