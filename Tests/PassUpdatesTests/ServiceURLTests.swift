import Foundation
import PassModel
import Testing

@testable import PassStore
@testable import PassUpdates

@Suite("The requests for registrations, lists, events and logs are below the webServiceURL")
struct ServiceURLTests {
    private static let device = "0123456789abcdef0123456789abcdef"
    private let identity = PassIdentity(
        passTypeIdentifier: "pass.com.example.a b", serialNumber: "7/8?")

    private func service(_ webServiceURL: String) throws -> EventService {
        let object = [
            "passTypeIdentifier": identity.passTypeIdentifier,
            "serialNumber": identity.serialNumber, "webServiceURL": webServiceURL,
            "authenticationToken": "secret",
        ]
        let json = try JSONSerialization.data(withJSONObject: object)
        let service = try #require(WebService(try Pass(json: Array(json))))
        let url = try #require(service.base(of: identity))
        return EventService(id: 1, url: url, host: service.host, device: Self.device, tags: [:])
    }

    @Test(arguments: [
        ("https://example.com", "https://example.com", ""),
        ("https://example.com/", "https://example.com", ""),
        ("https://example.com//", "https://example.com", ""),
        ("https://example.com/a/b/", "https://example.com/a/b", ""),
        ("https://example.com/v1", "https://example.com/v1", ""),
        ("https://example.com/v1/passes/", "https://example.com/v1/passes", ""),
        ("https://example.com:8443/a%20b", "https://example.com:8443/a%20b", ""),
        ("https://ada:secret@example.com/x#y", "https://example.com/x", ""),
        ("https://example.com/a/?tenant=7&x=%2F", "https://example.com/a", "tenant=7&x=%2F"),
    ])
    func requests(webServiceURL: String, base: String, query: String) throws {
        let service = try service(webServiceURL)
        let device = "\(base)/v1/devices/\(Self.device)"
        let type = "pass.com.example.a%20b"
        let only = query.isEmpty ? "" : "?\(query)"
        let before = query.isEmpty ? "?" : "?\(query)&"
        #expect(
            ServiceURL.registration(of: identity, at: service)
                == "\(device)/registrations/\(type)/7%2F8%3F\(only)")
        let list = "\(device)/registrations/\(type)"
        #expect(
            ServiceURL.list(ofType: identity.passTypeIdentifier, since: nil, at: service)
                == "\(list)\(only)")
        #expect(
            ServiceURL.list(ofType: identity.passTypeIdentifier, since: "a b&+=ü#%", at: service)
                == "\(list)\(before)passesUpdatedSince=a%20b%26%2B%3D%C3%BC%23%25")
        #expect(ServiceURL.events(at: service) == "\(device)/events\(only)")
        #expect(
            ServiceURL.poll(since: nil, seconds: 25, at: service)
                == "\(device)/events\(before)wait=25")
        #expect(
            ServiceURL.poll(since: "1742+", seconds: 1, at: service)
                == "\(device)/events\(before)since=1742%2B&wait=1")
        #expect(ServiceURL.log(at: service.url) == "\(base)/v1/log\(only)")
    }
}
