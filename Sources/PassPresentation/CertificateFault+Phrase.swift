package import Fetching
internal import Foundation

extension CertificateFault {
    /// - Parameter host: The host that presented the certificate.
    package func phrase(of host: String) -> Phrase {
        let name = Phrase.Value.text(host)
        switch self {
        case .untrusted:
            return Phrase("the certificate of {name} is not trusted", ["name": name])
        case .expired(let end):
            return Phrase(
                "the certificate of {name} expired on {date}", ["name": name, "date": .day(end)])
        case .notYetValid(let start):
            return Phrase(
                "the certificate of {name} is not valid before {date}",
                ["name": name, "date": .day(start)])
        case .issuerExpired(let issuer, let end):
            return Phrase(
                "the certificate of {name} depends on that of {issuer}, which expired on {date}",
                ["name": name, "issuer": .issuer(issuer), "date": .day(end)])
        case .issuerNotYetValid(let issuer, let start):
            return Phrase(
                "the certificate of {name} depends on that of {issuer}, which is not valid before {date}",
                ["name": name, "issuer": .issuer(issuer), "date": .day(start)])
        case .selfSigned:
            return Phrase("the certificate of {name} is self-signed", ["name": name])
        case .unknownIssuer(let issuer):
            return Phrase(
                "the certificate of {name} is signed by {issuer}, which this computer does not trust",
                ["name": name, "issuer": .issuer(issuer)])
        case .namesNoHost:
            return Phrase(
                "the certificate of {name} names its host only in the common name, which is not accepted",
                ["name": name])
        case .forOtherHosts(let hosts, let more):
            let list = Phrase.Value.text(hosts.joined(separator: ", "))
            return more == 0
                ? Phrase("the certificate of {name} is for {host}", ["name": name, "host": list])
                : Phrase(
                    "the certificate of {name} is for {host} and {number} more",
                    ["name": name, "host": list, "number": .number(more)])
        }
    }
}

extension Phrase.Value {
    fileprivate static func issuer(_ name: String?) -> Phrase.Value {
        name.map { .text($0) } ?? .phrase(Phrase("an unnamed authority"))
    }

    /// Certificates expire in 9999 at the latest.
    fileprivate static func day(_ date: HTTPDate) -> Phrase.Value {
        let seconds = min(max(date.seconds, -62_135_596_800), 253_402_300_799)
        return .day(Date(timeIntervalSince1970: Double(seconds)))
    }
}
