internal import PassModel
internal import PassPresentation
internal import PassStore
internal import PassUpdates
internal import PassVerification

/// The result for one pass: `update`. `pass` describes the pass after the update.
///
/// `source` is absent if no server was asked, `status` if unknown, `problem` if there is none,
/// `changes` if there is no newer version.
struct UpdateRecord: Encodable {
    let version = 1
    let record = "update"
    let id: Int64
    let pass: IdentityRecord
    /// Without the query, which may contain a secret.
    let source: String?
    let outcome: String
    let status: Int?
    let problem: FindingRecord?
    let sha256: String
    let signedAt: String?
    let changes: [ChangeRecord]?

    init(_ report: UpdateReport, _ changes: ToldChanges?) {
        id = report.stored.id
        let current = report.stored.current
        pass =
            report.new?.pass.map(IdentityRecord.init)
            ?? IdentityRecord(
                report.stored.identity, current)
        source = report.source
        outcome = report.outcome.rawValue
        status = report.status
        problem = report.problem.map { FindingRecord(code: $0.code, detail: $0.phrase.english) }
        sha256 = report.new?.sha256 ?? current.sha256
        signedAt = (report.new?.signedAt ?? current.signedAt).map(timestamp)
        self.changes = changes?.records
    }
}

/// The last record of `update`.
struct UpdateSummaryRecord: Encodable {
    let version = 1
    let record = "updateSummary"
    let asked: Int
    let requests: Int
    let updated: Int
    let unchanged: Int
    let refused: Int
    let declined: Int
    let failed: Int
    let notAsked: Int
    let insecure: Int
    /// Rounded to thousandths.
    let seconds: Double

    init(_ summary: UpdateSummary) {
        asked = summary.asked
        requests = summary.requests
        updated = summary.updated
        unchanged = summary.unchanged
        refused = summary.refused
        declined = summary.declined
        failed = summary.failed
        notAsked = summary.notAsked
        insecure = summary.insecure
        seconds = (summary.seconds * 1000).rounded() / 1000
    }
}
