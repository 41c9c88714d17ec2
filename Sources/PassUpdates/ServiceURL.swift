/// The URLs of the requests to a web service (PassKit Web Service Reference), besides those for
/// passes.
enum ServiceURL {
    /// - Parameter service: The `webServiceURL`, whose query stays at the end.
    static func log(at service: String) -> String {
        let place = service.prefix { $0 != "?" }
        return place + "/v1/log" + service.dropFirst(place.count)
    }
}
