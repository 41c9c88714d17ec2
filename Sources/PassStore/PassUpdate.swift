package import Foundation
internal import GRDB

/// Where the issuer of a pass gives out newer versions of it.
package struct WebService: Sendable, Hashable {
    /// Where exactly this pass is asked for.
    package let url: String
    /// The secret between this pass and its web service.
    package let token: String
    /// Who is not to be asked too much at a time: a name, and the port where it is not the usual one.
    package let host: String

    package init(url: String, token: String, host: String) {
        self.url = url
        self.token = token
        self.host = host
    }
}

/// A pass whose issuer can be asked for a newer version, and what came of asking before.
package struct PassUpdate: Sendable {
    /// The pass; all this is about its version in front.
    package let stored: StoredPass
    package let service: WebService
    /// The value of Last-Modified that came with this version; nil where it came in another way.
    package let lastModified: String?
    package let askedAt: Date
    /// How often in a row no good answer came.
    package let failures: Int
}

/// What is to be remembered of an answer.
package struct UpdateNote: Sendable {
    package let pass: Int64
    /// The version that the answer is about.
    package let version: Int64
    /// Nil to leave what is known.
    package let lastModified: String?
    package let askedAt: Date
    /// Nil where it is not to be asked again.
    package let dueAt: Date?
    package let failures: Int
    /// As records call it.
    package let outcome: String
    /// What was wrong.
    package let detail: String?

    package init(
        on version: StoredVersion, lastModified: String? = nil, askedAt: Date, dueAt: Date?,
        failures: Int, outcome: String, detail: String? = nil
    ) {
        pass = version.passID
        self.version = version.id
        self.lastModified = lastModified
        self.askedAt = askedAt
        self.dueAt = dueAt
        self.failures = failures
        self.outcome = outcome
        self.detail = detail
    }
}

/// A row of `updates` of a pass that can be asked for.
struct UpdateRecord: FetchableRecord {
    /// The rows that are about the version in front, as long as that is trusted: what others say of
    /// where to ask is nobody's word.
    static let inForce = """
        updates JOIN passes ON passes.id = updates.pass AND passes.front = updates.version
        JOIN versions ON versions.id = updates.version AND versions.verdict = 'trusted'
        """

    let pass: Int64
    let service: WebService
    let lastModified: String?
    let askedAt: Double
    let failures: Int

    init(row: Row) throws {
        pass = try row.value("pass")
        service = WebService(
            url: try row.value("url"), token: try row.value("token"), host: try row.value("host"))
        lastModified = try row.optional("lastModified")
        askedAt = try row.value("askedAt")
        failures = try row.value("failures")
    }
}

extension PassUpdate {
    /// The passes of these rows, in their order.
    static func load(_ records: [UpdateRecord], _ db: Database) throws -> [PassUpdate] {
        let passes = try StoredPass.load(
            try PassRecord.fetchAll(db, keys: records.map(\.pass)), db)
        let passesByNumber = Dictionary(passes.map { ($0.id, $0) }) { first, _ in first }
        return records.compactMap { record in
            passesByNumber[record.pass].map { stored in
                PassUpdate(
                    stored: stored, service: record.service, lastModified: record.lastModified,
                    askedAt: Date(timeIntervalSince1970: record.askedAt),
                    failures: record.failures)
            }
        }
    }
}
