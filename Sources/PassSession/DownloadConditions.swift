package import Fetching
internal import Foundation
package import PassDetection
package import PassImport
package import PassVerification
internal import Platform

/// How a URL is fetched and its content verified, as requested. The conditions are stored with the
/// download, since another process may resume it.
package struct DownloadConditions: Codable, Equatable {
    var allowsHTTP = false
    var allowsPrivateAddresses = false
    /// Nil for the program's own User-Agent.
    var userAgent: String?
    /// In bytes; nil for the default.
    package var maximumSize: Int?
    /// Certificates trusted in addition to those in the trust folder, as PEM.
    package var authorities: [String] = []
    /// Verdicts other than trusted that are accepted into the library.
    package var accepted: [Verdict] = []
    /// Types treated as passes in addition to those known everywhere.
    package var types: [UniformType] = []

    package var terms: FetchTerms {
        var terms = FetchTerms()
        terms.allowsHTTP = allowsHTTP
        terms.allowsPrivateAddresses = allowsPrivateAddresses
        terms.userAgent = userAgent ?? "passconduit/\(Release.version)"
        if let maximumSize { terms.maximumSize = maximumSize }
        return terms
    }

    /// These conditions, extended by `others`.
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
    /// The stored form; nil if all values are the defaults.
    package var text: String? {
        guard self != DownloadConditions() else { return nil }
        let encoder = JSONEncoder()
        // Equal conditions need equal text, by which repeated requests are recognised.
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Decodes the stored form; nil if there is none.
    package init?(_ text: String?) {
        guard let text,
            let kept = try? JSONDecoder().decode(DownloadConditions.self, from: Data(text.utf8))
        else { return nil }
        self = kept
    }
}

extension ImportOptions {
    /// These options, extended by the permissions in the conditions.
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
