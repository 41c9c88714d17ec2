package import Bytes
package import MIME

/// What the header of a part declares: names and media types, and the evidence for a pass in them.
package struct Declaration: Sendable {
    package let header: PartHeader
    package let evidence: Evidence

    /// No header.
    package static let none = Declaration(PartHeader(names: []), [])

    fileprivate init(_ header: PartHeader, _ evidence: Evidence) {
        self.header = header
        self.evidence = evidence
    }

    /// Whether the header claims a pass.
    package var isClaim: Bool { !evidence.isEmpty }
}

extension TypeMap {
    /// Examines the header of a part. Call it once per part and keep the result.
    package func declaration(_ header: PartHeader) -> Declaration {
        Declaration(header, evidence(header))
    }
}

/// Octets that may be a pass, with their location and the evidence.
package struct Candidate: Sendable {
    package let octets: SpooledBytes
    package let location: PartLocation
    package let evidence: Evidence

    /// Nil without evidence.
    ///
    /// - Parameters:
    ///   - isPass: Whether the contents are those of a pass.
    ///   - isAsked: Whether the user asked about this file, which needs no other evidence.
    package init?(
        _ octets: SpooledBytes, at location: PartLocation, isPass: Bool, isAsked: Bool = false
    ) {
        let declared = location.declaration.evidence
        guard isPass || isAsked || !declared.isEmpty else { return nil }
        self.octets = octets
        self.location = location
        evidence = isPass ? declared.union(.content) : declared
    }
}
