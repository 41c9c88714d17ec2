package import Bytes
package import MIME
package import MailSource

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

    /// Whether contents of this kind are opened: they may hold passes, the header says so, or the
    /// user asked about this file.
    package func mayHoldPasses(_ kind: ContentKind, isAsked: Bool = false) -> Bool {
        // Folders are full of placeholders of other files.
        if kind == .unread(.iCloudPlaceholder) {
            return isAsked || isClaim || header.saysContainer
        }
        return isAsked || kind.mayHoldPasses || isClaim || header.saysContainer
    }
}

extension TypeMap {
    /// Examines the header of a part.
    package func declaration(_ header: PartHeader) -> Declaration {
        Declaration(header, evidence(header))
    }

    /// What the name of a member of an archive declares, which may include folders.
    package func declaration(ofMember name: String) -> Declaration {
        let path = name.utf8.split(separator: UInt8(ascii: "/"))
        // A Maildir.
        let isDelivery = path.dropLast().last.map {
            $0.elementsEqual("cur".utf8) || $0.elementsEqual("new".utf8)
        }
        // A Cyrus spool: the name without its final dot says nothing.
        let isInSpool = path.last.map {
            $0.last == UInt8(ascii: ".") && PartHeader.isNameOfMail(String(Substring($0)))
        }
        return declaration(
            PartHeader(
                names: [PartHeader.fileName(name) ?? name],
                isMessage: isDelivery == true || isInSpool == true))
    }
}

/// Octets that may be a pass, with their location and the evidence.
package struct Candidate: Sendable {
    package let octets: SpooledBytes
    package let location: PartLocation
    package let evidence: Evidence

    /// Octets that are a pass by their contents.
    package init(pass octets: SpooledBytes, at location: PartLocation) {
        self.init(octets, location, location.declaration.evidence.union(.content))
    }

    /// Octets with other contents; nil unless their header claims a pass.
    ///
    /// - Parameter isAsked: Whether the user asked about this file, which needs no evidence.
    package init?(other octets: SpooledBytes, at location: PartLocation, isAsked: Bool) {
        guard isAsked || location.declaration.isClaim else { return nil }
        self.init(octets, location, location.declaration.evidence)
    }

    private init(_ octets: SpooledBytes, _ location: PartLocation, _ evidence: Evidence) {
        self.octets = octets
        self.location = location
        self.evidence = evidence
    }

    /// The same candidate in a copy of its octets.
    package func copied(to octets: SpooledBytes) -> Candidate {
        Candidate(octets, location, evidence)
    }
}
