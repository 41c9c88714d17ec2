/// A request to the fake server.
package struct RecordedPush: Sendable {
    package let method: String
    package let path: String
    package let headers: [String: String]
    package let body: [UInt8]
    /// The client's certificate in DER.
    package let certificate: [UInt8]?
    /// The index of the connection, from 0, in the order of acceptance.
    package let connection: Int
    /// The number of requests in progress when this one arrived, including itself.
    package let atOnce: Int

    package var token: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The error that APNs would report, according to Apple's "Handling notification responses from
    /// APNs".
    var mistake: FakeAnswer? {
        if method != "POST" { return .status(405, reason: "MethodNotAllowed") }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "", parts[1] == "3", parts[2] == "device" else {
            return .status(404, reason: "BadPath")
        }
        if parts[3].isEmpty { return .status(400, reason: "MissingDeviceToken") }
        if body.isEmpty { return .status(400, reason: "PayloadEmpty") }
        guard let topic = headers["apns-topic"] else {
            return .status(400, reason: "MissingTopic")
        }
        if let expiration = headers["apns-expiration"], Int64(expiration) == nil {
            return .status(400, reason: "BadExpirationDate")
        }
        if let priority = headers["apns-priority"], !["1", "5", "10"].contains(priority) {
            return .status(400, reason: "BadPriority")
        }
        if let identifier = headers["apns-collapse-id"], identifier.utf8.count > 64 {
            return .status(400, reason: "BadCollapseId")
        }
        if let certificate {
            // DER contains the user ID of the subject as plain bytes.
            return certificate.firstRange(of: Array(topic.utf8)) == nil
                ? .status(400, reason: "TopicDisallowed") : nil
        }
        let isBearer = headers["authorization"]?.hasPrefix("bearer ") == true
        return isBearer ? nil : .status(403, reason: "MissingProviderToken")
    }
}
