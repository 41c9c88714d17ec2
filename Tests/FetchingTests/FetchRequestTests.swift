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
        ]
        for request in requests {
            let line = try JSONLines.line(FetchOrder.get(request))
            #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
            #expect(
                try JSONLines.value(FetchOrder.self, from: Array(line.dropLast()))
                    == .get(request))
        }
    }

    @Test("only a GET writes a file")
    func files() {
        #expect(request { $0.method = .get }.writesFile)
        #expect(!request { $0.method = .post }.writesFile)
    }

    @Test("only some properties may be combined")
    func consistency() {
        let resumption = FetchRequest.Resumption(offset: 1, validator: "\"x\"")
        let rows: [(Bool, (inout FetchRequest) -> Void)] = [
            (true, { _ in }),
            (true, { $0.resumption = resumption }),
            (true, { $0.modifiedSince = "x" }),
            (false, { $0.json = "{}" }),
            (false, { $0.method = .post }),
            (true, { ($0.method, $0.json) = (.post, "{}") }),
            (false, { ($0.method, $0.json, $0.modifiedSince) = (.post, "{}", "x") }),
            (false, { ($0.method, $0.json, $0.resumption) = (.post, "{}", resumption) }),
        ]
        for (index, (isConsistent, change)) in rows.enumerated() {
            #expect(request(change).isConsistent == isConsistent, "row \(index)")
        }
    }

    @Test("events have the form that their type documents")
    func events() throws {
        let events: [(FetchEvent, String)] = [
            (.notModified(id: 1), #"{"notModified":{"id":1}}"#),
            (.answered(id: 1, status: 201), #"{"answered":{"id":1,"status":201}}"#),
        ]
        for (event, text) in events {
            #expect(try JSONLines.value(FetchEvent.self, from: Array(text.utf8)) == event)
            #expect(event.id == 1)
        }
    }
}
