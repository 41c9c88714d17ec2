package import Fetching
internal import Platform

extension FetchFailure: Worded {
    package var phrase: Phrase { reason.phrase }
}

extension FetchFailureReason: Worded {
    package var phrase: Phrase {
        switch self {
        case .notURL: Phrase("this is not a URL")
        case .urlTooLong(let limit):
            Phrase("this URL is longer than {count} bytes", ["count": .number(limit)])
        case .unknownScheme(let scheme):
            Phrase("only https: and http: are fetched, not {name}:", ["name": .text(scheme)])
        case .noHost: Phrase("this URL names no host")
        case .invalidAddress: Phrase("the host is not a usable address")
        case .invalidName: Phrase("the host is not a valid name")
        case .invalidPort(let port): Phrase("there is no port {number}", ["number": .number(port)])
        case .unsendableField: Phrase("a token or a date holds characters that cannot be sent")
        case .invalidRequest: Phrase("this cannot be requested")
        case .insecure(let host):
            Phrase(
                "{name} would be fetched over http, which others on the network can read and change (--allow-http allows it)",
                ["name": .text(host)])
        case .unknownHost(let host):
            Phrase("there is no host named {name}", ["name": .text(host)])
        case .resolverBusy(let host):
            Phrase("the name {name} cannot be looked up now", ["name": .text(host)])
        case .resolverFailed(let host, let words):
            Phrase(
                "the name {name} cannot be looked up: {reason}",
                ["name": .text(host), "reason": .text(words)])
        case .resolverSilent(let host, let seconds):
            Phrase(
                "the name {name} could not be looked up within {time}",
                ["name": .text(host), "time": .duration(seconds)])
        case .forbiddenAddress(let host?, let address, let kind):
            Phrase(
                "{name} is {place}, {kind}: not contacted without --allow-private",
                ["name": .text(host), "place": .text(address), "kind": .phrase(kind.phrase)])
        case .forbiddenAddress(nil, let address, let kind):
            Phrase(
                "{name} is {kind}: not contacted without --allow-private",
                ["name": .text(address), "kind": .phrase(kind.phrase)])
        case .privateName(let host):
            Phrase(
                "{name} is a name in the local network: not contacted without --allow-private",
                ["name": .text(host)])
        case .refused(let peer): Phrase("{name} refuses the connection", ["name": peer.value])
        case .closed(let peer): Phrase("{name} closed the connection", ["name": peer.value])
        case .unreachable(let peer): Phrase("no route to {name}", ["name": peer.value])
        case .connectionFailed(let peer, let code):
            Phrase(
                "{name} cannot be connected to: {reason}",
                [
                    "name": peer.value,
                    "reason": .phrase(FileError(.open, code).reasonPhrase),
                ])
        case .noAnswer(let peer, let seconds):
            Phrase(
                "{name} did not answer within {time}",
                ["name": peer.value, "time": .duration(seconds)])
        case .stalled(let host, let seconds):
            Phrase(
                "{name} sent nothing for {time}",
                ["name": .text(host), "time": .duration(seconds)])
        case .belowRate(let host, let rate, let seconds):
            Phrase(
                "{name} sent less than {count} bytes per second for {time}",
                [
                    "name": .text(host), "count": .number(Int(rate.rounded(.up))),
                    "time": .duration(seconds),
                ])
        case .tooSlow(let host, let seconds):
            Phrase(
                "it took longer than {time} to fetch from {name}",
                ["name": .text(host), "time": .duration(seconds)])
        case .certificate(let host, let fault): fault.phrase(of: host)
        case .noTLS(let host): Phrase("{name} does not use TLS on this port", ["name": .text(host)])
        case .oldTLS(let host):
            Phrase("{name} supports neither TLS 1.2 nor TLS 1.3", ["name": .text(host)])
        case .unrecognizedName(let host):
            Phrase("{name} does not recognise this host name", ["name": .text(host)])
        case .clientCertificateWanted(let host):
            Phrase("{name} asks for a client certificate", ["name": .text(host)])
        case .noCommonCipher(let host):
            Phrase(
                "{name} supports no encryption that this program supports", ["name": .text(host)])
        case .tlsFailed(let host):
            Phrase("cannot make a secure connection to {name}", ["name": .text(host)])
        case .unreadableAuthorities:
            Phrase("cannot read the certificates that SSL_CERT_FILE and SSL_CERT_DIR name")
        case .unknownProxyScheme(let scheme):
            Phrase(
                "proxies with the scheme {name}: are not supported",
                ["name": .text(scheme)])
        case .proxyWithoutHost: Phrase("the proxy set in the environment has no host")
        case .proxyCredentialsWanted(let proxy):
            Phrase(
                "{name} rejects the user name and password", ["name": FetchPeer.proxy(proxy).value])
        case .proxyRefused(let proxy):
            Phrase("{name} does not forward the request", ["name": FetchPeer.proxy(proxy).value])
        case .proxyFailed(let proxy):
            Phrase("{name} did not connect to the server", ["name": FetchPeer.proxy(proxy).value])
        case .status(let host, let code):
            if let meaning = Phrase.meaning(ofStatus: code) {
                Phrase(
                    "{name} answered with {number}: {reason}",
                    ["name": .text(host), "number": .number(code), "reason": .phrase(meaning)])
            } else {
                Phrase(
                    "{name} answered with {number}",
                    ["name": .text(host), "number": .number(code)])
            }
        case .redirectWithoutTarget(let host):
            Phrase("{name} redirects without naming a target", ["name": .text(host)])
        case .redirectToNoURL(let host):
            Phrase("{name} redirects to something that is not a URL", ["name": .text(host)])
        case .redirectToUnfetchable(let host, let reason):
            Phrase(
                "{name} redirects to a URL that cannot be fetched: {reason}",
                ["name": .text(host), "reason": .phrase(reason.phrase)])
        case .redirectWithUser(let host, let target):
            Phrase(
                "{name} redirects to {place} with a user name in the URL",
                ["name": .text(host), "place": .text(target)])
        case .redirectLoop(let host): Phrase("{name} redirects in a circle", ["name": .text(host)])
        case .redirectNotFollowed(let host):
            Phrase(
                "{name} redirects to another URL, to which this request is not sent",
                ["name": .text(host)])
        case .tooManyRedirects(let host, let limit):
            Phrase(
                "{name} redirects more than {count} times",
                ["name": .text(host), "count": .number(limit)])
        case .tooLarge(let host, nil, let limit):
            Phrase(
                "{name} sends more than the limit of {total}",
                ["name": .text(host), "total": .size(limit)])
        case .tooLarge(let host, let size?, let limit):
            Phrase(
                "{name} sends {count}, more than the limit of {total}",
                ["name": .text(host), "count": .size(size), "total": .size(limit)])
        case .cut(let host, let received, let size?):
            Phrase(
                "the connection to {name} ended after {count} of {total} bytes",
                ["name": .text(host), "count": .number(received), "total": .number(size)])
        case .cut(let host, let received, nil):
            Phrase(
                "the connection to {name} ended after {count} bytes, before the end",
                ["name": .text(host), "count": .number(received)])
        case .encoded(let host, let coding):
            Phrase(
                "{name} sent a body encoded as {kind}, which was not requested",
                ["name": .text(host), "kind": .text(coding)])
        case .unrequestedPart(let host):
            Phrase("{name} sent only a part of the file", ["name": .text(host)])
        case .notHTTP(let host):
            Phrase("the response of {name} is not HTTP", ["name": .text(host)])
        case .longAnswer: Phrase("the response is too long")
        case .noResponse(let host): Phrase("{name} did not answer", ["name": .text(host)])
        case .protocolFailed(let host, let words):
            Phrase(
                "the exchange with {name} failed: {reason}",
                ["name": .text(host), "reason": .text(words)])
        case .noBody: Phrase("the server sent no body")
        case .invalidFileName: Phrase("this is not a file name")
        case .file(let error): error.phrase
        case .ended: Phrase("passconduit-fetch ended unexpectedly")
        }
    }
}

extension FetchPeer {
    fileprivate var value: Phrase.Value {
        switch self {
        case .server(let name): .text(name)
        case .proxy(let name): .phrase(Phrase("the proxy {name}", ["name": .text(name)]))
        }
    }
}
