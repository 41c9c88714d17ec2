import Bytes
import Foundation
import PassModel
import PassStore

/// The URLs of the requests to a web service: those of the PassKit Web Service Reference, and the
/// event stream (passconduit-events(7)).
enum ServiceURL {
    static func registration(of pass: PassIdentity, at service: EventService) -> String {
        url(
            below: service.url,
            [
                "devices", service.device, "registrations", pass.passTypeIdentifier,
                pass.serialNumber,
            ])
    }

    /// - Parameter tag: Nil for all passes for which the device is registered.
    static func list(ofType type: String, since tag: String?, at service: EventService) -> String {
        url(
            below: service.url, ["devices", service.device, "registrations", type],
            tag.map { "passesUpdatedSince=\(WebService.encoded($0, isInQuery: true))" })
    }

    static func events(at service: EventService) -> String {
        url(below: service.url, ["devices", service.device, "events"])
    }

    /// - Parameters:
    ///   - tag: Nil to get the pass types at once.
    ///   - seconds: The time to wait for a change.
    static func poll(since tag: String?, seconds: Int, at service: EventService) -> String {
        let since = tag.map { "since=\(WebService.encoded($0, isInQuery: true))&" } ?? ""
        return url(
            below: service.url, ["devices", service.device, "events"], "\(since)wait=\(seconds)")
    }

    static func log(at service: String) -> String { url(below: service, ["log"]) }

    /// The host of a URL, with its port unless it is the default one; nil without a host.
    static func host(of url: String) -> String? {
        guard let parts = URLComponents(string: url), let name = parts.host?.lowercased().streamSafe
        else { return nil }
        let usual = parts.scheme == "https" ? 443 : 80
        return name + (parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? "")
    }

    /// - Parameter service: The `webServiceURL`, whose query stays at the end.
    private static func url(
        below service: String, _ segments: [String], _ query: String? = nil
    ) -> String {
        let place = service.prefix { $0 != "?" }
        let queries = [String(service.dropFirst(place.count + 1)), query ?? ""].filter {
            !$0.isEmpty
        }
        let path = (["v1"] + segments).map { "/\(WebService.encoded($0))" }.joined()
        return place + path + (queries.isEmpty ? "" : "?\(queries.joined(separator: "&"))")
    }
}

extension EventService {
    /// Whether both are the same service, whatever their tags: the library may have been replaced.
    func isSame(as other: EventService) -> Bool {
        id == other.id && url == other.url && device == other.device
    }

    /// Whether ``host`` is the host of ``url``. Check it, so that a damaged index does not make the
    /// library send the identifier to another host.
    var isConsistent: Bool { ServiceURL.host(of: url) == host }
}

extension LeavingRegistration {
    /// Whether the pass belongs to the service. Check it, so that a damaged index does not make the
    /// library send the token to another host.
    var isConsistent: Bool {
        let pass = WebService(url: url, token: token, host: service.host)
        return service.isConsistent && pass.base(of: identity) == service.url
    }
}
