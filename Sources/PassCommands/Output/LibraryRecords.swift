internal import Foundation
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

// JSON records about the library, with the keys in the order of output. A change of meaning changes
// `version`.

/// A pass of the library: `list`, `search` and `show`, and `update` when it changes a setting.
///
/// `id` is the number of the pass in this library, `name` its pass type and serial number. Only
/// `show` has `contents`, and `versions` with `--history`. `changes` lists the differences to the
/// previous version; lists have it only for recent changes. `anchor` and `vouchedFor` are absent
/// unless the pass is trusted, and its anchor known. Unknown times are absent.
struct LibraryPassRecord: Encodable {
    let version = 1
    let record = "libraryPass"
    let id: Int64
    let name: String
    let sha256: String
    let size: Int
    let verdict: String
    let reasons: [FindingRecord]
    let notes: [FindingRecord]
    let walletRefuses: [String]
    let signedAt: String?
    let importedAt: String
    let relevantDate: String?
    let expirationDate: String?
    let voided: Bool
    let pass: IdentityRecord
    let origins: [OriginRecord]
    let contents: ContentsRecord?
    let versions: [VersionRecord]?
    let changes: [ChangeRecord]?
    let anchor: AnchorRecord?
    /// Whether an authority that the user trusts now vouches for the pass.
    let vouchedFor: Bool?
    /// The user's settings of the pass.
    let automaticUpdates: Bool
    let notifications: Bool

    init(
        _ stored: StoredPass, _ front: StoredVersion? = nil, isVouchedFor: Bool?,
        contents: Pass? = nil,
        history: [VersionRecord]? = nil, changes: ToldChanges? = nil
    ) {
        let front = front ?? stored.current
        id = stored.id
        name = stored.identity.description
        sha256 = front.sha256
        size = front.size
        verdict = front.verdict.rawValue
        reasons = front.reasons.map(FindingRecord.init)
        notes = front.notes.map(FindingRecord.init)
        walletRefuses = front.notes.walletRefusalCodes
        signedAt = front.signedAt.map(timestamp)
        importedAt = timestamp(front.importedAt)
        relevantDate = front.relevantDate.map(timestamp)
        expirationDate = front.expirationDate.map(timestamp)
        voided = front.isVoided
        pass = IdentityRecord(stored.identity, front)
        origins = front.origins.map(OriginRecord.init)
        self.contents = contents.map(ContentsRecord.init)
        versions = history
        self.changes = changes?.records
        anchor = front.verdict == .trusted ? front.anchor.map(AnchorRecord.init) : nil
        vouchedFor = isVouchedFor
        automaticUpdates = stored.updatesAutomatically
        notifications = stored.showsNotifications
    }
}

/// The settings of the library after a change: `update --off` and `update --on` without names.
struct LibrarySettingsRecord: Encodable {
    let version = 1
    let record = "librarySettings"
    let automaticUpdates: Bool
}

/// The trust anchor that vouched for a version when it was added. `origin` is `apple`, `own` or `given`.
struct AnchorRecord: Encodable {
    /// SHA-256 of its certificate.
    let fingerprint: String
    let origin: String

    init(_ anchor: StoredAnchor) {
        fingerprint = anchor.fingerprint
        origin = anchor.origin.rawValue
    }
}

/// Where a version came from. Unknown values are empty, as in a message's record.
struct OriginRecord: Encodable {
    let source: String
    let messageID: String
    let from: String
    let date: String
    let subject: String
    let part: String

    init(_ origin: Origin) {
        source = origin.source
        messageID = origin.messageID ?? ""
        from = origin.from ?? ""
        date = origin.date.map(timestamp) ?? ""
        subject = origin.subject ?? ""
        part = origin.part ?? ""
    }
}

/// A version of a pass. `changes` is absent in the first version.
struct VersionRecord: Encodable {
    let sha256: String
    let size: Int
    let verdict: String
    let signedAt: String?
    let importedAt: String
    let origins: [OriginRecord]
    let changes: [ChangeRecord]?

    init(_ version: StoredVersion, _ changes: ToldChanges?) {
        sha256 = version.sha256
        size = version.size
        verdict = version.verdict.rawValue
        signedAt = version.signedAt.map(timestamp)
        importedAt = timestamp(version.importedAt)
        origins = version.origins.map(OriginRecord.init)
        self.changes = changes?.records
    }
}

/// The content of a pass as in pass.json: not translated, dates and numbers unformatted.
struct ContentsRecord: Encodable {
    let logoText: String?
    let transitType: String?
    let fields: [FieldRecord]
    let barcodes: [BarcodeRecord]
    let languages: [String]

    init(_ pass: Pass) {
        logoText = pass.logoText
        transitType = pass.transitType?.rawValue
        let groups = [
            ("header", pass.fields.header), ("primary", pass.fields.primary),
            ("secondary", pass.fields.secondary), ("auxiliary", pass.fields.auxiliary),
            ("footer", pass.fields.footer),
            ("additionalInfo", pass.fields.additionalInfo), ("back", pass.fields.back),
        ]
        fields = groups.flatMap { group, fields in fields.map { FieldRecord($0, group) } }
        barcodes = pass.barcodes.map(BarcodeRecord.init)
        languages = pass.localizations
    }
}

struct FieldRecord: Encodable {
    let group: String
    let key: String
    let label: String
    let value: String

    init(_ field: Field, _ group: String) {
        self.group = group
        key = field.key
        label = field.label ?? ""
        value = field.value.description
    }
}

struct BarcodeRecord: Encodable {
    let format: String
    let message: String
    let messageEncoding: String
    let altText: String

    init(_ barcode: Barcode) {
        format = barcode.format.rawValue
        message = barcode.message
        messageEncoding = barcode.messageEncoding
        altText = barcode.altText ?? ""
    }
}

/// A finding of `library check`. `name` is the pass concerned, or empty.
struct LibraryFindingRecord: Encodable {
    let version = 1
    let record = "libraryFinding"
    let code: String
    let detail: String
    let path: String
    let name: String
    let mended: Bool

    init(_ finding: LibraryFinding) {
        code = finding.code.rawValue
        detail = finding.phrase.english
        path = finding.path
        name = finding.identity?.description ?? ""
        mended = finding.isMended
    }
}

/// The last record of `library check`.
struct LibraryCheckRecord: Encodable {
    let version = 1
    let record = "libraryCheck"
    let passes: Int
    let versions: Int
    let findings: Int
    let mended: Int
    /// Messages in the spool of the mail path; absent with --library, which has another spool.
    let messagesWaiting: Int?
    let messagesGivenUp: Int?

    init(_ check: LibraryCheck, _ mail: SpooledMail?) {
        passes = check.passes
        versions = check.versions
        findings = check.findings.count
        mended = check.findings.count { $0.isMended }
        messagesWaiting = mail?.waiting
        messagesGivenUp = mail?.givenUp
    }
}

/// A certificate in the trust folder; `file` is its file name. `passTypes` is absent if it vouches for
/// all pass types.
struct AuthorityRecord: Encodable {
    let version = 1
    let record = "authority"
    let file: String
    let name: String
    let notBefore: String
    let notAfter: String
    /// SHA-256 of the certificate.
    let fingerprint: String
    let passTypes: [String]?

    init(_ kept: TrustFolder.Kept) {
        let anchor = kept.anchor
        file = kept.file
        name = anchor.name
        notBefore = timestamp(anchor.notBefore)
        notAfter = timestamp(anchor.notAfter)
        fingerprint = anchor.fingerprint
        passTypes = anchor.passTypes?.map(\.description)
    }
}
