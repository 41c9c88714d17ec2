import Testing

@testable import PassUpdates

@Suite("The log of a web service is below its webServiceURL")
struct ServiceURLTests {
    @Test(
        "whose query stays at the end",
        arguments: [
            ("https://example.com", "https://example.com/v1/log"),
            ("https://example.com/a/b", "https://example.com/a/b/v1/log"),
            ("https://example.com/a?key=1&b", "https://example.com/a/v1/log?key=1&b"),
        ])
    func log(service: String, url: String) {
        #expect(ServiceURL.log(at: service) == url)
    }
}
