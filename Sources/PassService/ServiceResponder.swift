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
/// ```
///
/// All but the list and the log require `Authorization: ApplePass TOKEN`, with the
/// `authenticationToken` of the pass. The answer to a wrong token is the same as that for a pass
/// that does not exist.
///
/// The address of the service in front of `/v1` is the `webServiceURL` of the passes.
///
/// ```swift
/// let responder = ServiceResponder(store, prefix: "/wallet")
/// try await Application(responder: responder).runService()
/// ```
public struct ServiceResponder: HTTPResponder {
    /// The context of a request.
    public typealias Context = BasicRequestContext

    private let store: ServiceStore
    private let prefix: String
    private let limits: ServiceLimits
    private let signer: TemplateSigner?

    /// Creates a responder.
    ///
    /// For example: `let responder = ServiceResponder(store)`
    ///
    /// - Parameters:
    ///   - store: The published passes and the registrations.
    ///   - prefix: The path in front of `/v1`, such as `/wallet`.
    ///   - limits: The limits for one request.
    ///   - signer: Signs passes that are published as rows. Without one, and if it fails, the answer
    ///     is 503.
    public init(
        _ store: ServiceStore, prefix: String = "", limits: ServiceLimits = ServiceLimits(),
        signer: TemplateSigner? = nil
    ) {
        self.store = store
        self.signer = signer
        self.prefix = prefix.utf8.last == UInt8(ascii: "/") ? String(prefix.dropLast()) : prefix
        self.limits = limits
    }

    /// Answers a request. Errors of the store are logged, and answered with 500 and an empty body.
    ///
    /// For example: `let response = try await responder.respond(to: request, context: context)`
    public func respond(to request: Request, context: BasicRequestContext) async throws -> Response
    {
        if let refusal = refusal(of: request.head) { return Response(status: refusal) }
        guard let route = ServiceRoute(request.uri.path, under: prefix) else {
            return Response(status: .notFound)
        }
        let method = request.method
        guard route.methods.contains(method.rawValue) else {
            return Response(
                status: .methodNotAllowed,
                headers: [.allow: route.methods.joined(separator: ", ")])
        }
        var response: Response
        do throws(ServiceError) {
            switch route {
            case .registration(let device, let pass):
                guard try await isAuthorized(request, for: pass) else {
                    response = unauthorized(context, pass)
                    break
                }
                if method == .delete {
                    try await store.unregister(device, for: pass)
                    context.logger.info("unregistered", metadata: metadata(of: pass))
                    response = Response(status: .ok)
                } else {
                    response = try await register(device, for: pass, request, context)
                }
            case .registrations(let device, let type):
                response = try await list(device, type, request)
            case .pass(let pass):
                guard try await isAuthorized(request, for: pass) else {
                    response = unauthorized(context, pass)
                    break
                }
                response = try await fetch(pass, request, context)
            case .log:
                response = try await log(request)
            }
        } catch {
            context.logger.error("failed", metadata: ["error": "\(error)"])
            return Response(status: error.status)
        }
        // Hummingbird sets the length of the empty body, but here it would be that of the pass
        // (RFC 9110, 8.6).
        if [.noContent, .notModified].contains(response.status) {
            response.headers[.contentLength] = nil
        }
        return method == .head ? response.createHeadResponse() : response
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
            return unauthorized(context, pass)
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
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }

    // MARK: - Passes

    private func fetch(
        _ identity: PassIdentity, _ request: Request, _ context: Context
    ) async throws(ServiceError) -> Response {
        guard let pass = try await store.pass(identity) else {
            return unauthorized(context, identity)
        }
        guard !isUnchanged(pass, request.headers) else {
            return Response(status: .notModified, headers: validators(of: pass))
        }
        if request.method == .head, let size = pass.size {
            var headers = description(of: pass)
            headers[.contentLength] = "\(size)"
            return Response(status: .ok, headers: headers)
        }
        guard let (current, bytes) = try await file(of: identity) else {
            return unauthorized(context, identity)
        }
        context.logger.info("fetched", metadata: metadata(of: identity))
        return Response(
            status: .ok, headers: description(of: current),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The current version, signed if it was not.
    private func file(
        of identity: PassIdentity
    ) async throws(ServiceError) -> (pass: PublishedPass, bytes: [UInt8])? {
        if let signer { return try await signer.file(of: identity) }
        return try await store.file(of: identity)
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
                // Nobody has the tag of a pass that is not signed yet.
                guard tag != "*", let current = pass.entityTag else { return tag == "*" }
                return tag == current || tag == "W/\(current)"
            }
        }
        guard let since = headers[.ifModifiedSince].flatMap({ HTTPDate($0, now: .now) }) else {
            return false
        }
        return HTTPDate(pass.modified) <= since
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
    private func unauthorized(_ context: Context, _ pass: PassIdentity) -> Response {
        context.logger.notice("unauthorized", metadata: metadata(of: pass))
        return Response(status: .unauthorized, headers: [.wwwAuthenticate: "ApplePass"])
    }

    private func metadata(of pass: PassIdentity) -> Logger.Metadata {
        ["type": "\(pass.passTypeIdentifier)", "serial": "\(pass.serialNumber)"]
    }
}

extension ServiceError {
    /// The status of the answer to a request that failed.
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .notSigned, .cannotSign: .serviceUnavailable
        default: .internalServerError
        }
    }
}
