internal import Foundation
internal import PassDetection
package import PassImport
internal import PassLinks
internal import PassModel
package import PassPresentation
internal import PassStore
internal import PassVerification

// JSON records, with the keys in the order of output. Text is not escaped for terminals. A change
// of meaning changes `version`.

/// A verified pass: `scan`, `import` and `verify`.
///
/// `message` is absent for a plain file, `signedAt` if unknown, `pass` if it cannot be read,
/// `import` if nothing was imported, `changes` if the import replaced no version. Other unknown
/// values are empty.
package struct PassRecord: Encodable {
    let version = 1
    let record = "pass"
    let source: String
    let message: MessageRecord?
    let part: String
    let name: String
    let mediaType: String
    let evidence: [String]
    /// Size of the extracted pass file, in bytes.
    let size: Int
    let sha256: String
    let verdict: String
    let reasons: [FindingRecord]
    let notes: [FindingRecord]
    /// The codes of the notes for which Wallet refuses a pass although its signature is good.
    let walletRefuses: [String]
    let signedAt: String?
    let pass: IdentityRecord?
    let `import`: String?
    let changes: [ChangeRecord]?

    init(_ found: FoundPass, _ changes: ToldChanges? = nil) {
        let verification = found.verification
        source = found.source
        message = found.message.map(MessageRecord.init)
        part = found.part
        name = found.name
        mediaType = found.mediaType
        evidence = found.evidence.names
        size = verification.size
        sha256 = verification.sha256
        verdict = verification.verdict.rawValue
        reasons = verification.reasons.map(FindingRecord.init)
        notes =
            verification.notes.map(FindingRecord.init)
            + (found.otherType.map { [FindingRecord(looksLike: $0)] } ?? [])
        walletRefuses = verification.notes.walletRefusalCodes
        signedAt = verification.signedAt.map(timestamp)
        pass = verification.pass.map(IdentityRecord.init)
        `import` = found.imported?.rawValue
        self.changes = changes?.records
    }
}

/// A changed field, in the reader's language, with dates and numbers unformatted. `old` is absent
/// if the field is new, `new` if it was removed, `message` if its issuer has none for the change.
struct ChangeRecord: Encodable {
    let key: String
    let label: String
    let old: String?
    let new: String?
    /// The issuer's message, with the new value formatted for the reader.
    let message: String?

    init(_ change: PassChange, _ displayLocale: DisplayLocale) {
        key = change.key
        label = change.label ?? ""
        old = change.old?.writtenText
        new = change.new?.writtenText
        message = displayLocale.message(change)
    }
}

/// The message that contains a pass or a problem.
struct MessageRecord: Encodable {
    /// Counted from 0 within its source.
    let index: Int
    /// Offset of the message's first byte; in an mbox that of its From_ line.
    let offset: Int
    let messageID: String
    let from: String
    let date: String
    let subject: String

    init(_ message: MessageReference) {
        index = message.index
        offset = message.offset
        messageID = message.messageID
        from = message.from
        date = message.date
        subject = message.subject
    }
}

/// A stable code with a sentence for people.
struct FindingRecord: Encodable {
    let code: String
    let detail: String

    init(_ finding: Finding) {
        code = finding.code
        detail = finding.phrase.english
    }

    init(code: String, detail: String) {
        self.code = code
        self.detail = detail
    }

    /// What a file is that claims to be a pass.
    init(looksLike type: FileType) {
        code = "looks-like"
        detail = Phrase("it looks like {type}", ["type": .phrase(type.phrase)]).english
    }
}

/// Identifies a pass and its issuer. `style` is the key in pass.json.
struct IdentityRecord: Encodable {
    let passTypeIdentifier: String
    let serialNumber: String
    let teamIdentifier: String
    let organizationName: String
    let description: String
    let style: String

    init(_ pass: Pass) {
        passTypeIdentifier = pass.passTypeIdentifier
        serialNumber = pass.serialNumber
        teamIdentifier = pass.teamIdentifier
        organizationName = pass.organizationName
        description = pass.description
        style = pass.style?.rawValue ?? ""
    }

    init(_ identity: PassIdentity, _ version: StoredVersion) {
        passTypeIdentifier = identity.passTypeIdentifier
        serialNumber = identity.serialNumber
        teamIdentifier = version.teamIdentifier
        organizationName = version.organizationName
        description = version.description
        style = version.style?.rawValue ?? ""
    }
}

/// A link to a pass in a text: `scan` and `import` with `--links`. `message` is absent for a plain
/// file, `size` if `url` is complete.
package struct LinkRecord: Encodable {
    let version = 1
    let record = "link"
    let source: String
    let message: MessageRecord?
    let part: String
    let url: String
    /// Size of the whole URL in bytes, if `url` is only its beginning.
    let size: Int?
    let evidence: [String]

    package init(_ found: FoundLink) {
        source = found.source
        message = found.message.map(MessageRecord.init)
        part = found.part
        url = found.link.url
        size = found.link.size
        evidence = found.link.evidence.names
    }
}

/// Input that could not be read, or not completely. `message` is absent for a plain file, `part` if
/// the problem concerns no part.
package struct ProblemRecord: Encodable {
    let version = 1
    let record = "problem"
    let source: String
    let message: MessageRecord?
    let part: String?
    let code: String
    let count: Int?
    let detail: String

    package init(_ problem: ReportedProblem) {
        source = problem.source
        message = problem.message.map(MessageRecord.init)
        part = problem.part
        code = problem.code
        count = problem.count
        detail = problem.phrase.english
    }
}

/// The last record of `scan` and `import`: totals. `links` is absent if links were not searched
/// for, `unchanged` if all sources were read, `linksNotFollowed` if all links were followed.
package struct SummaryRecord: Encodable {
    let version = 1
    let record = "summary"
    let sources: Int
    let unchanged: Int?
    let linksNotFollowed: Int?
    let messages: Int
    let parts: Int
    let bytes: Int
    let candidates: Int
    let trusted: Int
    let untrusted: Int
    let unsigned: Int
    let tampered: Int
    let malformed: Int
    let links: Int?
    let problems: Int
    /// Rounded to thousandths.
    let seconds: Double

    package init(_ summary: Summary) {
        func count(_ verdict: Verdict) -> Int { summary.verdicts[verdict] ?? 0 }
        sources = summary.sources
        unchanged = summary.unchanged == 0 ? nil : summary.unchanged
        linksNotFollowed = summary.linksNotFollowed == 0 ? nil : summary.linksNotFollowed
        messages = summary.messages
        parts = summary.parts
        bytes = summary.bytes
        candidates = summary.candidates
        trusted = count(.trusted)
        untrusted = count(.untrusted)
        unsigned = count(.unsigned)
        tampered = count(.tampered)
        malformed = count(.malformed)
        links = summary.links
        problems = summary.problems
        seconds = (summary.seconds * 1000).rounded() / 1000
    }
}

/// A time in UTC (W3C, RFC 3339): `2024-05-01T10:00:00Z`.
func timestamp(_ date: Date) -> String {
    date.formatted(.iso8601)
}

extension ToldChanges {
    var records: [ChangeRecord] { changes.map { ChangeRecord($0, displayLocale) } }
}
