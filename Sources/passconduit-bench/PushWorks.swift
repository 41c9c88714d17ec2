/// Pushes to the fake of Apple's push service.
extension Works {
    private static let streams = 500

    /// Sends pushes from an in-memory outbox, in a separate process.
    func push(_ count: Int) -> Work {
        Work(
            name: "push to \(count) devices",
            words: [
                programs.built("push-probe"), "send", "\(count)", "\(Self.streams)",
                "\(pushServer.port)", pushServer.authority, pushServer.identity,
            ], piece: .letter, pushes: true, check: .printed("\(count)"))
    }

    /// Sends one prepared request repeatedly, with the same fields and body as a push.
    func h2load(_ count: Int) -> Work {
        let token = String(repeating: "0", count: 64)
        let fields = [
            ":method: POST", "apns-topic: \(PushServer.type)", "apns-expiration: 1790000000",
            "apns-priority: 10", "apns-collapse-id: update", "authorization: bearer token",
        ]
        return Work(
            name: "h2load",
            words: [
                "h2load", "-n", "\(count)", "-c", "1", "-m", "\(Self.streams)", "-d",
                pushServer.body,
            ] + fields.flatMap { ["-H", $0] }
                + ["https://localhost:\(pushServer.port)/3/device/\(token)"],
            piece: .letter, pushes: true)
    }
}
