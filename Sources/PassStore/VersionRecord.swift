internal import Bytes
internal import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification

/// A row of `versions`. Times are in seconds since 1970, exact for the whole seconds of signatures.
///
/// IDs grow in the order of arrival: a new row gets a greater one than all others have.
struct VersionRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "versions"

    var id: Int64?
    var pass: Int64
    var sha256: String
    var size: Int
    var manifestSHA256: String?
    var verdict: Verdict
    var reasons: [StoredFinding]
    var notes: [StoredFinding]
    var signedAt: Double?
    var importedAt: Double
    /// The same time for all versions of an import; nil for those that an earlier version of this
    /// program added.
    var arrival: Double?
    var teamIdentifier: String
    var organizationName: String
    var description: String
    /// The form of `PassNames`.
    var names: String?
    var style: PassStyle?
    var relevantDate: Double?
    var expirationDate: Double?
    var isVoided: Bool
    /// Nil if `relevantDate` is the only date.
    var relevantDates: [RelevantDateRecord]?
    /// The fingerprint of the anchor that vouches for it; nil if none does, or if it is unknown.
    var anchor: String?
    var anchorOrigin: TrustAnchor.Origin?

    static func databaseJSONEncoder(for column: String) -> JSONEncoder { StoredFinding.encoder }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    func stored(origins: [Origin]) -> StoredVersion {
        StoredVersion(
            id: id ?? 0, passID: pass, sha256: sha256, size: size,
            manifestSHA256: manifestSHA256, verdict: verdict,
            reasons: reasons.map(\.finding), notes: notes.map(\.finding),
            signedAt: signedAt.map(Date.init(timeIntervalSince1970:)),
            importedAt: Date(timeIntervalSince1970: importedAt),
            arrival: Date(timeIntervalSince1970: arrival ?? importedAt),
            teamIdentifier: teamIdentifier,
            organizationName: organizationName, description: description,
            names: names.flatMap(PassNames.init(text:)), style: style,
            relevantDate: relevantDate.map(Date.init(timeIntervalSince1970:)),
            expirationDate: expirationDate.map(Date.init(timeIntervalSince1970:)),
            relevantDates: relevantDates?.map(\.relevantDate)
                ?? relevantDate.map { [RelevantDate(date: Date(timeIntervalSince1970: $0))] } ?? [],
            isVoided: isVoided, origins: origins, anchor: storedAnchor)
    }

    /// Whether it was stored as trusted before the library recorded anchors.
    var isOfUnknownAnchor: Bool { verdict == .trusted && anchorOrigin == nil }

    /// - Parameter verdict: The verdict on its file with Apple's anchors, which decides if it was
    ///   stored before the library recorded anchors.
    func standing(byApple verdict: Verdict?) -> Standing {
        let origin = verdict == .trusted ? TrustAnchor.Origin.apple : .own
        return Standing(
            verdict: self.verdict, anchorOrigin: isOfUnknownAnchor ? origin : anchorOrigin)
    }

    /// Records a new verification of the same file, since the user may have changed the trust
    /// settings. What is said against the pass without its authority does not count.
    mutating func judge(_ verified: VerifiedPass) {
        notes = verified.notes.ofStoredFile.map(StoredFinding.init)
        let known = Standing(verdict: verdict, anchorOrigin: anchorOrigin)
        guard !known.outlasts(Standing(verified), verified.reasons) else { return }
        noteVerdict(of: verified)
    }

    /// The same for a version of an old index.
    mutating func keepVerdict(of old: SalvagedVersion, against verified: VerifiedPass) {
        guard let standing = old.standing(outlasting: verified) else { return }
        (verdict, reasons, anchor, anchorOrigin) = (
            standing.verdict, [], old.anchor, old.anchorOrigin
        )
    }

    /// Replaces the file by another copy of the same version.
    mutating func take(_ verified: VerifiedPass) {
        sha256 = verified.sha256
        size = verified.size
        notes = verified.notes.ofStoredFile.map(StoredFinding.init)
        noteVerdict(of: verified)
    }

    private mutating func noteVerdict(of verified: VerifiedPass) {
        verdict = verified.verdict
        reasons = verified.reasons.map(StoredFinding.init)
        // An anchor given for this occasion does not replace one that was kept.
        if verified.anchor?.origin == .given, anchorOrigin != nil { return }
        anchor = verified.anchor?.fingerprint
        anchorOrigin = verified.anchor?.origin
    }

    private var storedAnchor: StoredAnchor? {
        guard let anchor, let anchorOrigin else { return nil }
        return StoredAnchor(fingerprint: anchor, origin: anchorOrigin)
    }
}

/// Decoded column by column, like ``PassRecord``.
extension VersionRecord {
    init(row: Row) throws {
        id = try row.value("id")
        pass = try row.value("pass")
        sha256 = try row.value("sha256")
        size = try row.value("size")
        manifestSHA256 = try row.optional("manifestSHA256")
        verdict = try row.named("verdict", Verdict.init(exactly:))
        reasons = try StoredFinding.read(row.value("reasons"))
        notes = try StoredFinding.read(row.value("notes"))
        signedAt = try row.optional("signedAt")
        importedAt = try row.value("importedAt")
        arrival = try row.optional("arrival")
        teamIdentifier = try row.value("teamIdentifier")
        organizationName = try row.value("organizationName")
        description = try row.value("description")
        names = try row.optional("names")
        style = try row.holds("style") ? row.named("style", PassStyle.init(exactly:)) : nil
        relevantDate = try row.optional("relevantDate")
        expirationDate = try row.optional("expirationDate")
        isVoided = try row.value("isVoided")
        relevantDates = try row.relevantDates()
        anchor = try row.optional("anchor")
        anchorOrigin =
            try row.holds("anchorOrigin")
            ? row.named("anchorOrigin", TrustAnchor.Origin.init(exactly:)) : nil
    }
}

/// A relevant date or interval of a version. Times are in seconds since 1970.
struct RelevantDateRecord: Codable {
    var date: Double?
    var startDate: Double?
    var endDate: Double?

    /// A season has some dozens of dates; more would slow down the list of passes.
    private static let limit = 200

    /// Nil if the pass has a single date.
    ///
    /// - Parameter now: Past dates are dropped first if there are more than the limit.
    static func records(of pass: Pass, now: Date) -> [RelevantDateRecord]? {
        let dates = pass.relevantDates
        let isSingle = dates.allSatisfy {
            $0.endDate == nil && ($0.date ?? $0.startDate) == pass.relevantDate
        }
        if isSingle { return nil }
        let ahead = dates.filter { ($0.endDate ?? $0.date ?? $0.startDate ?? .distantFuture) > now }
        let kept = dates.count <= limit || ahead.isEmpty ? dates : ahead
        return kept.prefix(limit).map(RelevantDateRecord.init)
    }

    private init(_ date: RelevantDate) {
        self.date = date.date?.timeIntervalSince1970
        startDate = date.startDate?.timeIntervalSince1970
        endDate = date.endDate?.timeIntervalSince1970
    }

    var relevantDate: RelevantDate {
        RelevantDate(
            date: date.map(Date.init(timeIntervalSince1970:)),
            startDate: startDate.map(Date.init(timeIntervalSince1970:)),
            endDate: endDate.map(Date.init(timeIntervalSince1970:)))
    }
}

extension Row {
    /// Most versions have at most one date, and an index opened read-only may lack the column.
    fileprivate func relevantDates() throws -> [RelevantDateRecord]? {
        let text: String? = try optional("relevantDates")
        return try text.map {
            try JSONDecoder().decode([RelevantDateRecord].self, from: Data($0.utf8))
        }
    }
}
