import Bytes
internal import Fetching

/// One request, from its URL through redirects to the file.
final class Transfer {
    let request: FetchRequest
    private let client: Client
    private let report: (FetchEvent) -> Void
    private let end: (FetchEvent) -> Void
    private let deadline: ContinuousClock.Instant
    private var state = State.waiting
    private var resumption: FetchRequest.Resumption?
    private var credentials: String?
    private var home: Origin?
    /// The requested URLs, each with the cookies at that time.
    private var visited: Set<[String]> = []
    private let jar = CookieJar()
    /// Whether a request was repeated on another connection.
    private var isRepeated = false

    private enum State {
        /// Not begun, or ended.
        case waiting
        case lookingUp(NameLookup)
        case asking(Exchange)
        case diagnosingCertificate(CertificateDiagnosis)
        case diagnosingName(NameDiagnosis, host: String, until: ContinuousClock.Instant)
    }

    /// - Parameters:
    ///   - report: Called with each event but the last.
    ///   - end: Called once with the last event, unless the transfer is cancelled.
    init(
        _ request: FetchRequest, _ client: Client, report: @escaping (FetchEvent) -> Void,
        end: @escaping (FetchEvent) -> Void
    ) {
        self.request = request
        self.client = client
        self.report = report
        self.end = end
        deadline = .now + .seconds(client.configuration.totalTimeout)
    }

    func begin() {
        do throws(FetchFailure) {
            guard request.isConsistent else { throw FetchFailure(.invalidRequest) }
            guard !request.writesFile || BodyFile.isName(request.file) else {
                throw FetchFailure(.invalidFileName)
            }
            let target = try Target(request.url, allowsHTTP: request.terms.allowsHTTP)
            // Resume only if the file contains the beginning of the body.
            resumption = request.resumption.flatMap { part in
                part.offset > 0 && part.offset <= BodyFile.size(of: request.file, in: client.folder)
                    ? part : nil
            }
            credentials =
                request.authenticationToken.map { "ApplePass \($0)" } ?? target.credentials
            home = target.origin
            visited = [[target.url]]
            try ask(target)
        } catch {
            fail(error)
        }
    }

    /// Ends the transfer without an event.
    func cancel() {
        switch state {
        case .waiting, .diagnosingName: break
        case .lookingUp(let lookup): lookup.cancel()
        case .asking(let exchange): exchange.cancel()
        case .diagnosingCertificate(let diagnosis): diagnosis.cancel()
        }
        state = .waiting
    }

    /// Ends the transfer if it takes too long.
    func examine(at now: ContinuousClock.Instant) {
        switch state {
        case .asking(let exchange): exchange.examine(at: now, deadline: deadline)
        case .diagnosingName(let diagnosis, let host, let until):
            if let error = diagnosis.result {
                fail(FetchFailure(unresolved: host, error))
            } else if now > until {
                let seconds = client.configuration.connectTimeout
                fail(FetchFailure(.resolverSilent(host: host, seconds: seconds)))
            }
        case .waiting, .lookingUp, .diagnosingCertificate: break
        }
    }

    /// Requests the body, or the rest of it.
    private func ask(_ target: Target) throws(FetchFailure) {
        let policy = AddressPolicy(request.terms)
        let proxy = try client.proxies.proxy(for: target.origin)
        if proxy == nil, let address = target.address, !policy.permits(address),
            let kind = AddressKind(of: address)
        {
            throw FetchFailure(forbidden: address, kind, target)
        }
        let route = Route(target: target, proxy: proxy, policy: policy)
        switch client.names.decision(route) {
        case .permitted(let addresses):
            try ask(by: Route(target: target, proxy: proxy, policy: policy, addresses: addresses))
        case .refused(let failure): throw failure
        case .unknown: try lookUp(route)
        }
    }

    /// Looks up a name before a proxy gets it, or gets its address.
    private func lookUp(_ route: Route) throws(FetchFailure) {
        let isNeeded = route.proxy?.resolution == .local
        // A network without DNS of its own must not delay a request that does not need it.
        let timeout = client.configuration.connectTimeout
        let limit = isNeeded ? timeout : min(timeout, 2)
        let lookup = NameLookup(route.target, limit: limit, client) { [unowned self] addresses in
            if isNeeded, addresses.isEmpty { return diagnose(route.target.origin.host) }
            client.names.note(addresses, of: route.target.origin.host)
            do throws(FetchFailure) {
                try ask(route.target)
            } catch {
                fail(error)
            }
        }
        guard let lookup else { throw FetchFailure(.invalidRequest) }
        state = .lookingUp(lookup)
        lookup.begin()
    }

    private func ask(by route: Route) throws(FetchFailure) {
        let resource = ResourceRequest(
            target: route.target, method: request.method, offset: resumption?.offset,
            validator: resumption?.validator, expectedSize: resumption?.expectedSize,
            isConditional: request.modifiedSince != nil, maximumSize: request.terms.maximumSize)
        let id = request.id
        let exchange = Exchange(
            resource, fields: try fields(resource), body: request.json, by: route,
            with: jar, into: request.file, client,
            report: { [report] progress in
                switch progress {
                case .response(let response): report(.response(id: id, response))
                case .received(let count): report(.progress(id: id, received: count))
                }
            },
            end: { [unowned self] outcome in
                do throws(FetchFailure) {
                    try take(outcome, of: resource, route)
                } catch {
                    fail(error)
                }
            })
        guard let exchange else { throw FetchFailure(.invalidRequest) }
        state = .asking(exchange)
        exchange.begin()
    }

    private func take(
        _ outcome: Exchange.Outcome, of resource: ResourceRequest, _ route: Route
    ) throws(FetchFailure) {
        switch outcome {
        case .answered(let answer, let size): try take(answer, size, of: resource)
        case .failed(let failure): throw failure
        // All requests may be repeated (RFC 9110, 9.2.2): a log entry may stand there twice.
        case .lost(let failure):
            guard !isRepeated else { throw failure }
            isRepeated = true
            try ask(route.target)
        case .refusedCertificate(let isForAnotherHost):
            let host = route.target.origin.description
            let diagnosis = CertificateDiagnosis(
                route, isForAnotherHost: isForAnotherHost, client
            ) { [unowned self] fault in
                fail(FetchFailure(.certificate(host: host, fault)))
            }
            guard let diagnosis else {
                throw FetchFailure(.certificate(host: host, .untrusted))
            }
            state = .diagnosingCertificate(diagnosis)
            diagnosis.begin()
        case .unresolved(let host): diagnose(host)
        }
    }

    /// Finds out why a host was not resolved.
    private func diagnose(_ host: String) {
        state = .diagnosingName(
            NameDiagnosis(host), host: host,
            until: .now + .seconds(client.configuration.connectTimeout))
    }

    private func take(
        _ answer: Answer, _ size: Int, of resource: ResourceRequest
    ) throws(FetchFailure) {
        let target = resource.target
        switch answer {
        case .redirect(let location):
            try ask(redirected(target, to: location))
        case .fromTheStart:
            resumption = nil
            try ask(target)
        case .notModified: finish(.notModified(id: request.id))
        case .accepted(let status): finish(.answered(id: request.id, status: status))
        case .failure(let failure): throw failure
        case .body(let response, let announced):
            let host = target.origin.description
            if let announced, size - response.offset != announced {
                throw FetchFailure(
                    .cut(host: host, received: size, size: response.offset + announced))
            }
            // A response may contain less than the requested range.
            if let whole = response.size, size != whole {
                throw FetchFailure(.cut(host: host, received: size, size: whole))
            }
            finish(.finished(id: request.id, size: size))
        }
    }

    private func redirected(_ target: Target, to location: String) throws(FetchFailure) -> Target {
        let next = try target.redirected(to: location, allowsHTTP: request.terms.allowsHTTP)
        // Do not send credentials to another server, even if that redirects back.
        if next.origin != home {
            credentials = nil
        }
        let host = home?.description ?? next.origin.description
        // A server may answer otherwise once it gets its cookie.
        let cookies = if case .asking(let exchange) = state { exchange.cookies } else { [String]() }
        guard visited.insert([next.url] + cookies).inserted else {
            throw FetchFailure(.redirectLoop(host: host))
        }
        let limit = client.configuration.maximumRedirects
        guard visited.count <= limit + 1 else {
            throw FetchFailure(.tooManyRedirects(host: host, limit: limit))
        }
        return next
    }

    /// The fields of the request, as lines.
    private func fields(_ resource: ResourceRequest) throws(FetchFailure) -> [String] {
        var fields = [
            "User-Agent: \(request.terms.userAgent)",
            "Accept: application/vnd.apple.pkpass, application/vnd.apple.pkpasses, */*;q=0.8",
            // Sizes and ranges must refer to the file itself.
            "Accept-Encoding: identity",
        ]
        if let offset = resource.offset, let validator = resource.validator {
            fields += ["Range: bytes=\(offset)-", "If-Range: \(validator)"]
        }
        if let date = request.modifiedSince { fields.append("If-Modified-Since: \(date)") }
        if request.json != nil { fields.append("Content-Type: application/json") }
        if let credentials { fields.append("Authorization: \(credentials)") }
        // RFC 9110, 5.5: control characters could begin another field.
        guard fields.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw FetchFailure(.unsendableField)
        }
        return fields
    }

    private func fail(_ failure: FetchFailure) { finish(.failed(id: request.id, failure)) }

    private func finish(_ event: FetchEvent) {
        state = .waiting
        end(event)
    }
}
