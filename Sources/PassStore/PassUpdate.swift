internal import Bytes
package import Foundation
internal import GRDB

/// The web service of a pass.
package struct WebService: Sendable, Hashable {
    /// The request URL of this pass.
    package let url: String
    /// The authentication token.
    package let token: String
    /// The host, which limits the rate of requests, with the port if it is not the default.
    package let host: String

    package init(url: String, token: String, host: String) {
        self.url = url
        self.token = token
        self.host = host
    }
}

/// A pass with a web service, and the results of earlier requests.
package struct PassUpdate: Sendable {
    /// The pass; all properties refer to its current version.
    package let stored: StoredPass
    package let service: WebService
    /// The Last-Modified date received with this version, if any.
    package let lastModified: String?
    package let askedAt: Date
    /// The number of consecutive failures.
    package let failures: Int
}

/// The record of a response.
package struct UpdateNote: Sendable {
    package let pass: Int64
    /// The version whose update was requested.
    package let version: Int64
    /// Nil to keep the stored value.
    package let lastModified: String?
    package let askedAt: Date
    /// Nil to never request it again.
    package let dueAt: Date?
    package let failures: Int
    /// The outcome, as in records.
    package let outcome: String
    /// The problem as JSON, if any.
    package let failure: String?

    package init(
        on version: StoredVersion, lastModified: String? = nil, askedAt: Date, dueAt: Date?,
        failures: Int, outcome: String, failure: String? = nil
    ) {
        pass = version.passID
        self.version = version.id
        self.lastModified = lastModified
        self.askedAt = askedAt
        self.dueAt = dueAt
        self.failures = failures
        self.outcome = outcome
        self.failure = failure
    }
}

/// A row of `updates` with a web service.
struct UpdateRecord: FetchableRecord {
    /// Rows of trusted current versions only: the web services of other passes are not
    /// authenticated.
    static let inForce = """
        updates JOIN passes ON passes.id = updates.pass AND passes.front = updates.version
        JOIN versions ON versions.id = updates.version AND versions.verdict = 'trusted'
        """

    static let all = "SELECT updates.* FROM \(inForce)"

    /// Rows that may be requested automatically, according to the user's settings.
    static let isAutomatic = """
        passes.updatesAutomatically
            AND '\(LibrarySetting.updatesAutomatically)' NOT IN (\(LibrarySetting.thoseOff))
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
    /// The passes of these rows, in order.
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
