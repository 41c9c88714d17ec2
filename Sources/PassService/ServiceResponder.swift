internal import Bytes
internal import Fetching
internal import Foundation
internal import HTTPTypes
public import Hummingbird
internal import Logging
internal import NIOCore
internal import PassModel

/// The routes of the web service for devices, after Apple's "Adding a Web Service to Update Passes".
///
/// ```
/// POST   /v1/devices/{device}/registrations/{type}/{serial}   {"pushToken": "…"} → 201, 200, 401
/// DELETE /v1/devices/{device}/registrations/{type}/{serial}                      → 200, 401
/// GET    /v1/devices/{device}/registrations/{type}?passesUpdatedSince=1742       → 200, 204
/// GET    /v1/passes/{type}/{serial}                                         → 200, 304, 401
/// POST   /v1/log                                      {"logs": ["…"]}            → 200
/// GET    /download/{key}                                  a page for people, if there is one
/// GET    /download/{key}/pass.pkpass                                             → 200, 304
/// ```
///
/// All but the list, the log and the downloads require `Authorization: ApplePass TOKEN`, with the
/// `authenticationToken` of the pass. The answer to a wrong token is the same as that for a pass
/// that does not exist, and an unknown download key is answered like any other unknown path.
///
/// If the database is unavailable or locked, the answer is 503, with a Retry-After field. A proxy in
/// front of the service limits the requests of each client.
///
/// The address of the service in front of `/v1` is the `webServiceURL` of the passes.
///
/// ```swift
/// let responder = ServiceResponder(store, prefix: "/wallet")
/// try await Application(responder: responder, server: .passService()).runService()
/// ```
public struct ServiceResponder: HTTPResponder {
    /// The context of a request.
    public typealias Context = BasicRequestContext

    /// Counts of the answered requests.
    package let metrics = ServiceMetrics()
    private let store: ServiceStore
    private let prefix: String
    private let limits: ServiceLimits
    private let page: DownloadPage.Maker?
    private let signer: TemplateSigner?
    private let rareLog = OncePerMinute()
    private let fetches = FetchCount()
    private let answers: AnswersInFlight

    /// Creates a responder.
    ///
    /// For example: `let responder = ServiceResponder(store)`
    ///
    /// - Parameters:
    ///   - store: The published passes and the registrations.
    ///   - prefix: The path in front of `/v1`, such as `/wallet`.
    ///   - limits: The limits for a single request, and for all answers together.
    ///   - signer: Signs passes that are published as rows. Without a signer, or if it fails, the
    ///     response is 503.
    ///   - page: Makes the pages under `/download`. Without it, there are no pages, and passes
    ///     cannot be downloaded there.
    public init(
        _ store: ServiceStore, prefix: String = "", limits: ServiceLimits = ServiceLimits(),
        signer: TemplateSigner? = nil, page: DownloadPage.Maker? = nil
    ) {
        self.store = store
        self.signer = signer
        self.prefix = prefix.utf8.last == UInt8(ascii: "/") ? String(prefix.dropLast()) : prefix
        self.limits = limits
        self.page = page
        answers = AnswersInFlight(limits)
    }

    /// Answers a request. Errors of the store are logged, once per minute and kind, and answered
    /// with 500 or 503 and an empty body, or with 403 beyond ``ServiceLimits/devicesPerPass``.
    ///
    /// For example: `let response = try await responder.respond(to: request, context: context)`
    public func respond(
        to request: Request, context: BasicRequestContext
    ) async throws -> Response {
        let start = ContinuousClock.now
        let route = ServiceRoute(request.uri.path, under: prefix)
        var response = await response(to: request, route, context)
        if let page = failurePage(response, request.uri.path) {
            response = Response(
                status: response.status, headers: response.headers.merging(page.headers),
                body: ResponseBody(byteBuffer: ByteBuffer(string: page.html)))
            if request.method == .head { response = response.createHeadResponse() }
        }
        let time = ContinuousClock.now - start
        let methods = route?.methods ?? []
        let group = ServiceMetrics.Group(
            route: route?.name ?? "other",
            method: methods.contains(request.method.rawValue) ? request.method.rawValue : "other",
            status: response.status.code)
        metrics.count(group, took: time)
        context.logger.debug(
            "answered",
            metadata: [
                "route": "\(group.route)", "method": "\(group.method)",
                "status": "\(group.status)", "time": "\(time)",
            ])
        return response
    }

    /// Stores the fetches counted since the last time. Call it at intervals, and after the server
    /// has ended.
    ///
    /// For example: `await responder.storeFetches()`
    public func storeFetches() async {
        let count = fetches.take()
        if count > 0 { try? await store.addFetches(count) }
    }

    private func response(
        to request: Request, _ route: ServiceRoute?, _ context: Context
    ) async -> Response {
        if let refusal = refusal(of: request.head) { return Response(status: refusal) }
        guard let route else { return Response(status: .notFound) }
        let method = request.method
        guard route.methods.contains(method.rawValue) else {
            return Response(
                status: .methodNotAllowed,
                headers: [.allow: route.methods.joined(separator: ", ")])
        }
        var response: Response
        do throws(ServiceError) {
            response = try await answer(route, request, context)
        } catch {
            rareLog.log(error, to: context.logger)
            return self.response(to: error)
        }
        if response.status == .unauthorized, let pass = route.pass {
            rareLog.log(.notice, "unauthorized", metadata: metadata(of: pass), to: context.logger)
        }
        // Hummingbird sets the length of the empty body, but here it would be that of the pass
        // (RFC 9110, 8.6).
        if [.noContent, .notModified].contains(response.status) {
            response.headers[.contentLength] = nil
        }
        return method == .head ? response.createHeadResponse() : response
    }

    /// Devices repeat a request after 503.
    func response(to error: ServiceError) -> Response {
        if case .tooManyDevices = error { return Response(status: .forbidden) }
        guard error.isTemporary else { return Response(status: .internalServerError) }
        return busy
    }

    private func answer(
        _ route: ServiceRoute, _ request: Request, _ context: Context
    ) async throws(ServiceError) -> Response {
        switch route {
        case .registration(let device, let pass):
            guard try await isAuthorized(request, for: pass) else {
                return unauthorized
            }
            guard request.method == .delete else {
                return try await register(device, for: pass, request, context)
            }
            try await store.unregister(device, for: pass)
            context.logger.info("unregistered", metadata: metadata(of: pass))
            return Response(status: .ok)
        case .registrations(let device, let type):
            return try await list(device, type, request)
        case .pass(let pass):
            guard try await isAuthorized(request, for: pass) else {
                return unauthorized
            }
            return try await fetch(pass, request, context)
        case .log:
            return try await log(request)
        case .downloadPage(let key):
            return try await showPage(key)
        case .download(let key):
            return try await download(key, request, context)
        }
    }

    private func refusal(of head: HTTPRequest) -> HTTPResponse.Status? {
        if (head.path ?? "").utf8.count > limits.targetBytes { return .uriTooLong }
        var count = 0
        for field in head.headerFields {
            count += field.name.rawName.utf8.count + field.value.utf8.count
        }
        return count > limits.headerBytes ? .requestHeaderFieldsTooLarge : nil
    }

    // MARK: - Registrations

    private struct RegistrationBody: Decodable {
        let pushToken: String
    }

    private func register(
        _ device: String, for pass: PassIdentity, _ request: Request, _ context: Context
    ) async throws(ServiceError) -> Response {
        let body: RegistrationBody
        switch await decoded(RegistrationBody.self, from: request) {
        case .failure(let refusal): return Response(status: refusal.status)
        case .success(let decoded): body = decoded
        }
        guard device.utf8.count <= limits.identifierBytes, isPushToken(body.pushToken) else {
            return Response(status: .badRequest)
        }
        switch try await store.register(device, pushToken: body.pushToken, for: pass) {
        case .added:
            context.logger.info("registered", metadata: metadata(of: pass))
            return Response(status: .created)
        case .known:
            return Response(status: .ok)
        case nil:
            return unauthorized
        }
    }

    /// APNs tokens are hexadecimal digits, of a length that may change.
    private func isPushToken(_ text: String) -> Bool {
        (1...max(limits.identifierBytes, 1)).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.hexadecimalValue != nil }
    }

    private struct ListBody: Encodable {
        let serialNumbers: [String]
        let lastUpdated: String
    }

    private func list(
        _ device: String, _ type: String, _ request: Request
    ) async throws(ServiceError) -> Response {
        // A tag that cannot be read is from another server.
        let tag = request.uri.queryParameters["passesUpdatedSince"].flatMap { Int64($0) }
        guard let changes = try await store.changes(for: device, ofType: type, since: tag) else {
            return Response(status: .noContent)
        }
        let body = ListBody(serialNumbers: changes.serialNumbers, lastUpdated: "\(changes.tag)")
        guard let json = try? JSONEncoder().encode(body) else {
            return Response(status: .internalServerError)
        }
        guard let reservation = answers.reserve(json.count) else { return busy }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: responseBody(ByteBuffer(bytes: json), reservation))
    }

    // MARK: - Bodies

    private var busy: Response {
        Response(
            status: .serviceUnavailable, headers: [.retryAfter: "\(limits.retrySeconds)"])
    }

    /// The response is written in pieces. Each piece waits until the client has read most of the
    /// previous ones.
    private func responseBody(
        _ bytes: ByteBuffer, _ reservation: AnswersInFlight.Reservation
    ) -> ResponseBody {
        ResponseBody(contentLength: bytes.readableBytes) { writer in
            var rest = bytes
            while let piece = rest.readSlice(length: min(rest.readableBytes, 65_536)),
                piece.readableBytes > 0
            {
                // A slice without a copy would keep the whole file in memory until it is sent.
                try await writer.write(ByteBuffer(bytes: piece.readableBytesView))
            }
            try await writer.finish(nil)
            withExtendedLifetime(reservation) {}
        }
    }

    // MARK: - Passes

    private func fetch(
        _ identity: PassIdentity, _ request: Request, _ context: Context
    ) async throws(ServiceError) -> Response {
        guard let pass = try await store.pass(identity),
            let response = try await file(of: pass, request)
        else { return unauthorized }
        if response.status == .ok, request.method != .head { await fetched(pass, context) }
        return response
    }

    /// The response with the file of a pass, or 304. Nil if the pass is no longer published.
    private func file(
        of pass: PublishedPass, _ request: Request
    ) async throws(ServiceError) -> Response? {
        guard !isUnchanged(pass, request.headers) else {
            return Response(status: .notModified, headers: validators(of: pass))
        }
        if request.method == .head, let size = pass.size {
            var headers = description(of: pass)
            headers[.contentLength] = "\(size)"
            return Response(status: .ok, headers: headers)
        }
        // Reserved before the file is read, if its size is known.
        var reservation = answers.reserve(pass.size ?? 0)
        guard reservation != nil else { return busy }
        guard let (current, bytes) = try await currentFile(of: pass.identity) else { return nil }
        if bytes.count != pass.size {
            reservation = nil
            reservation = answers.reserve(bytes.count)
        }
        guard let reservation else { return busy }
        return Response(
            status: .ok, headers: description(of: current),
            body: responseBody(ByteBuffer(bytes: bytes), reservation))
    }

    /// The current version of a pass, signed first if necessary.
    private func currentFile(
        of identity: PassIdentity
    ) async throws(ServiceError) -> (pass: PublishedPass, bytes: [UInt8])? {
        if let signer { return try await signer.file(of: identity) }
        return try await store.file(of: identity)
    }

    private func fetched(_ pass: PublishedPass, _ context: Context) async {
        context.logger.info("fetched", metadata: metadata(of: pass.identity))
        let count = fetches.add()
        guard count > 0 else { return }
        // A fetch succeeds even if its count cannot be stored.
        do throws(ServiceError) {
            try await store.addFetches(count)
        } catch {
            rareLog.log(error, to: context.logger)
        }
    }

    private func description(of pass: PublishedPass) -> HTTPFields {
        var headers = validators(of: pass)
        headers[.contentType] = "application/vnd.apple.pkpass"
        return headers
    }

    private func validators(of pass: PublishedPass) -> HTTPFields {
        var headers: HTTPFields = [.cacheControl: "no-cache"]
        headers[.eTag] = pass.entityTag
        headers[.lastModified] = HTTPDate(pass.modified).text
        return headers
    }

    /// If-Modified-Since is ignored if there is an If-None-Match (RFC 9110, 13.2.2).
    private func isUnchanged(_ pass: PublishedPass, _ headers: HTTPFields) -> Bool {
        if let tags = headers[.ifNoneMatch] {
            // Compared weakly (RFC 9110, 13.1.2): a proxy that compresses weakens the tag.
            return tags.split(separator: ",").contains { tag in
                let tag = tag.trimmingCharacters(in: .whitespaces)
                // A pass that is not signed yet has no entity tag, so no client can have it.
                guard tag != "*", let current = pass.entityTag else { return tag == "*" }
                return tag == current || tag == "W/\(current)"
            }
        }
        guard let since = headers[.ifModifiedSince].flatMap({ HTTPDate($0, now: .now) }) else {
            return false
        }
        return HTTPDate(pass.modified) <= since
    }

    // MARK: - Downloads

    /// The page for a failed download. All paths under `/download/` have one, so that the page does
    /// not reveal whether a key exists.
    private func failurePage(_ response: Response, _ path: String) -> DownloadPage? {
        guard let page, path.utf8.starts(with: "\(prefix)/download/".utf8) else { return nil }
        switch response.status {
        case .notFound: return page(.notFound)
        case .serviceUnavailable: return page(.unavailable)
        default: return nil
        }
    }

    private func showPage(_ key: String) async throws(ServiceError) -> Response {
        guard let page, let pass = try await store.pass(downloadKey: key),
            let (current, bytes) = try await currentFile(of: pass.identity),
            let shown = page(
                .pass(current, file: bytes, link: "\(PathSegment.encoded(key))/pass.pkpass"))
        else { return Response(status: .notFound) }
        return Response(
            status: .ok, headers: shown.headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: shown.html)))
    }

    private func download(
        _ key: String, _ request: Request, _ context: Context
    ) async throws(ServiceError) -> Response {
        guard page != nil, let pass = try await store.pass(downloadKey: key),
            var response = try await file(of: pass, request)
        else { return Response(status: .notFound) }
        if response.status == .ok {
            response.headers[.contentDisposition] = contentDisposition(
                "\(pass.identity.serialNumber).pkpass")
            response.headers[.xContentTypeOptions] = "nosniff"
            if request.method != .head { await fetched(pass, context) }
        }
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    // MARK: - Log

    private struct LogBody: Decodable {
        let logs: [String]
    }

    private func log(_ request: Request) async throws(ServiceError) -> Response {
        switch await decoded(LogBody.self, from: request) {
        case .failure(let refusal):
            return Response(status: refusal.status)
        case .success(let body):
            guard body.logs.count <= limits.logLines else {
                return Response(status: .contentTooLarge)
            }
            try await store.log(body.logs.map(\.streamSafe))
            return Response(status: .ok)
        }
    }

    // MARK: - Requests

    private struct Refusal: Error {
        let status: HTTPResponse.Status
    }

    private func decoded<Body: Decodable>(
        _ type: Body.Type, from request: Request
    ) async -> Result<Body, Refusal> {
        do {
            let bytes = try await request.body.collect(upTo: limits.bodyBytes)
            return .success(
                try JSONDecoder().decode(type, from: Data(bytes.readableBytesView)))
        } catch is NIOTooManyBytesError {
            return .failure(Refusal(status: .contentTooLarge))
        } catch {
            return .failure(Refusal(status: .badRequest))
        }
    }

    private func isAuthorized(
        _ request: Request, for pass: PassIdentity
    ) async throws(ServiceError) -> Bool {
        let words = (request.headers[.authorization] ?? "")
            .split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "applepass" else { return false }
        return try await store.accepts(
            words[1].trimmingCharacters(in: .whitespaces), for: pass)
    }

    /// The response to a wrong token and for an unknown pass, which must not differ.
    private var unauthorized: Response {
        Response(status: .unauthorized, headers: [.wwwAuthenticate: "ApplePass"])
    }

    private func metadata(of pass: PassIdentity) -> Logger.Metadata {
        ["type": "\(pass.passTypeIdentifier)", "serial": "\(pass.serialNumber)"]
    }
}

extension ServiceError {
    /// Whether the same request may succeed later, once the database or the certificate is
    /// available.
    fileprivate var isTemporary: Bool {
        switch self {
        case .locked, .unavailable, .noSpace, .notSigned, .cannotSign, .noSigner: true
        default: false
        }
    }
}

extension HTTPFields {
    /// Replaces fields of the same name, and drops Content-Length, which belongs to the old body.
    fileprivate func merging(_ others: HTTPFields) -> HTTPFields {
        var fields = self
        fields[.contentLength] = nil
        for field in others { fields[field.name] = field.value }
        return fields
    }
}
