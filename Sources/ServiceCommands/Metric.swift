internal import PassService

/// A metric in the text format of Prometheus, version 0.0.4.
///
/// ```
/// # HELP passconduit_requests_total Answered requests.
/// # TYPE passconduit_requests_total counter
/// passconduit_requests_total{route="pass",method="GET",status="200"} 5
/// ```
struct Metric {
    enum Kind: String {
        case counter, gauge, histogram
    }

    struct Sample {
        /// `_bucket`, `_sum` or `_count` for a histogram, else empty.
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        let value: Double
    }

    let name: String
    let kind: Kind
    let help: String
    let samples: [Sample]

    init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = "passconduit_\(name)"
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    init(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        self.init(name, kind, help, [Sample(value: Double(value))])
    }

    var text: String {
        var text = "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
            text += name + sample.suffix
            if !labels.isEmpty { text += "{\(labels.joined(separator: ","))}" }
            text += " \(Self.number(sample.value))\n"
        }
        return text
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }

    static func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}

extension Metric {
    /// The number of answered requests, and the time they took.
    static func requests(_ snapshot: ServiceMetrics.Snapshot) -> [Metric] {
        let groups = snapshot.requests.sorted { one, other in
            let (one, other) = (one.key, other.key)
            return (one.route, one.method, one.status) < (other.route, other.method, other.status)
        }
        let counts = groups.map { group, count in
            Sample(
                labels: [
                    ("route", group.route), ("method", group.method), ("status", "\(group.status)"),
                ], value: Double(count))
        }
        let times = snapshot.latencies.sorted { $0.key < $1.key }.flatMap { route, latency in
            histogram(latency, [("route", route)])
        }
        return [
            Metric("requests_total", .counter, "Answered requests.", counts),
            Metric("request_seconds", .histogram, "Time from a request to its answer.", times),
        ]
    }

    private static func histogram(
        _ latency: ServiceMetrics.Latency, _ labels: [(name: String, value: String)]
    ) -> [Sample] {
        var samples: [Sample] = []
        var count = 0
        for (index, each) in latency.counts.enumerated() {
            count += each
            let bound =
                index < ServiceMetrics.bounds.count ? number(ServiceMetrics.bounds[index]) : "+Inf"
            samples.append(
                Sample(suffix: "_bucket", labels: labels + [("le", bound)], value: Double(count)))
        }
        return samples + [
            Sample(suffix: "_sum", labels: labels, value: latency.sum),
            Sample(suffix: "_count", labels: labels, value: Double(count)),
        ]
    }

    /// The pushes that this process tried to send.
    static func pushes(_ counts: PushCounts) -> [Metric] {
        let results = [
            ("delivered", counts.delivered), ("postponed", counts.postponed),
            ("refused", counts.refused), ("invalid", counts.invalid),
        ]
        let samples = results.map { result, count in
            Sample(labels: [("result", result)], value: Double(count))
        }
        return [Metric("pushes_total", .counter, "Attempts to send a push.", samples)]
    }

    /// The contents of the store.
    static func contents(_ status: ServiceStatus) -> [Metric] {
        [
            Metric("passes", .gauge, "Published passes.", status.passes),
            Metric("devices", .gauge, "Registered devices.", status.devices),
            Metric(
                "registrations", .gauge, "Registrations of a device for a pass.",
                status.registrations),
            Metric("pending_pushes", .gauge, "Pushes to be sent.", status.pendingPushes),
            Metric("log_lines", .gauge, "Stored messages of devices.", status.logLines),
        ]
    }
}
