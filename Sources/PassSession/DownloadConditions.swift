internal import Bytes
package import Fetching
internal import Foundation
package import PassDetection
package import PassImport
package import PassVerification

/// How something is fetched and judged: as whoever asked for it wanted, also where another process goes
/// on with it later.
package struct DownloadConditions: Codable, Equatable {
    var allowsHTTP = false
    var allowsPrivateAddresses = false
    /// Nil for what this program is called.
    var userAgent: String?
    /// In bytes; nil for what is usual.
    package var maximumSize: Int?
    /// The certificates that are believed beside those that this person keeps, as PEM.
    package var authorities: [String] = []
    /// The verdicts below trusted that may enter the library.
    package var accepted: [Verdict] = []
    /// What is taken for a pass beside what every system knows.
    package var types: [UniformType] = []

    package var terms: FetchTerms {
        var terms = FetchTerms()
        terms.allowsHTTP = allowsHTTP
        terms.allowsPrivateAddresses = allowsPrivateAddresses
        terms.userAgent = userAgent ?? "passconduit/\(Release.version)"
        if let maximumSize { terms.maximumSize = maximumSize }
        return terms
    }

    /// These, and what somebody allows now.
    package func joined(with others: DownloadConditions) -> DownloadConditions {
        var joined = self
        joined.allowsHTTP = allowsHTTP || others.allowsHTTP
        joined.allowsPrivateAddresses = allowsPrivateAddresses || others.allowsPrivateAddresses
        joined.userAgent = others.userAgent ?? userAgent
        joined.maximumSize = others.maximumSize ?? maximumSize
        joined.authorities += others.authorities.filter { !authorities.contains($0) }
        joined.accepted += others.accepted.filter { !accepted.contains($0) }
        joined.types += others.types.filter { !types.contains($0) }
        return joined
    }
}

extension DownloadConditions {
    /// As the queue keeps them; nil where there is nothing to be kept.
    package var text: String? {
        guard self != DownloadConditions() else { return nil }
        let encoder = JSONEncoder()
        // The same words for the same conditions: a download is asked for again with these.
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Those of a download that the queue kept; nil where it has none.
    package init?(_ text: String?) {
        guard let text,
            let kept = try? JSONDecoder().decode(DownloadConditions.self, from: Data(text.utf8))
        else { return nil }
        self = kept
    }
}

extension ImportOptions {
    /// These, and what the conditions allow.
    package func allowing(_ conditions: DownloadConditions) throws(TrustAnchorError)
        -> ImportOptions
    {
        var options = self
        if !conditions.authorities.isEmpty {
            let anchors = try TrustAnchors(
                certificates: conditions.authorities.map { Array($0.utf8) })
            options.verifier = PassVerifier(
                anchors: verifier.anchors.adding(anchors), limits: verifier.limits,
                at: verifier.time)
        }
        options.policy.accepted.formUnion(conditions.accepted)
        options.types = types.adding(conditions.types)
        return options
    }
}
