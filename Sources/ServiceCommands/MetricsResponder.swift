internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PassModel
internal import PassService

/// Answers `/metrics` in the text format of Prometheus, and `/health` with 200 if the database
/// answers.
struct MetricsResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let store: ServiceStore
    /// Returns the metrics of this process, such as requests.
    let counts: @Sendable () -> [Metric]

    func respond(to request: Request, context: Context) async throws -> Response {
        guard [.get, .head].contains(request.method) else {
            return Response(status: .methodNotAllowed, headers: [.allow: "GET, HEAD"])
        }
        let response =
            switch request.uri.path {
            case "/metrics": await metrics()
            case "/health": await health()
            default: Response(status: .notFound)
            }
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func metrics() async -> Response {
        let status = try? await store.status()
        let isUp = Metric(
            "store_up", .gauge, "Whether the database answers.", status == nil ? 0 : 1)
        let all = counts() + [isUp] + (status.map(Metric.contents) ?? [])
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: all.map(\.text).joined())))
    }

    private func health() async -> Response {
        // Looking up a pass that cannot exist is a cheap query that the database must answer.
        let none = PassIdentity(passTypeIdentifier: "", serialNumber: "")
        var status = HTTPResponse.Status.ok
        do throws(ServiceError) {
            _ = try await store.pass(none)
        } catch {
            status = .serviceUnavailable
        }
        return Response(status: status, headers: [.cacheControl: "no-store"])
    }
}
