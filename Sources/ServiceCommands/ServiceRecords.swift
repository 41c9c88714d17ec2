internal import Foundation
internal import PassModel
internal import PassService

// JSON records, with the keys in the order of output. Text is not escaped for terminals. A change
// of meaning changes `version`.

/// An address that `run` listens on.
struct ListeningRecord: Encodable {
    let version = 2
    /// `listening` for the address for devices, `listeningForMetrics` for that for monitoring.
    let record: String
    let address: String
    let port: Int
    let prefix: String

    /// IPv6 addresses are in brackets (RFC 3986, 3.2.2).
    var url: String {
        let host = address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]" : address
        return "http://\(host):\(port)\(prefix)"
    }

    init(
        _ record: String = "listening", address: String, port: Int, prefix: String = ""
    ) {
        self.record = record
        self.address = address
        self.port = port
        self.prefix = prefix
    }
}

/// A pass that was published or removed: `publish`, `update`, `void` and `remove`.
struct PublicationRecord: Encodable {
    let version = 1
    let record = "publication"
    /// Absent for `update`, `void` and `remove`.
    let file: String?
    /// The line of the row of data; absent without data.
    let line: Int?
    let passTypeIdentifier: String
    let serialNumber: String
    /// `added`, `updated`, `unchanged` or `removed`.
    let publication: String
    /// The last part of the address of the download page.
    let downloadKey: String
    /// Absent for a pass that is not signed yet.
    let sha256: String?

    init(
        _ file: String?, line: Int?, _ pass: PassIdentity, key: String, sha256: String?,
        _ publication: Publication
    ) {
        self.file = file
        self.line = line
        passTypeIdentifier = pass.passTypeIdentifier
        serialNumber = pass.serialNumber
        self.publication = publication.rawValue
        downloadKey = key
        self.sha256 = sha256
    }

    init(removed pass: PublishedPass) {
        file = nil
        line = nil
        passTypeIdentifier = pass.identity.passTypeIdentifier
        serialNumber = pass.identity.serialNumber
        publication = "removed"
        downloadKey = pass.downloadKey
        sha256 = pass.sha256
    }
}

/// A published pass: `list`.
struct PublishedPassRecord: Encodable {
    let version = 1
    let record = "publishedPass"
    let passTypeIdentifier: String
    let serialNumber: String
    /// The time of publication.
    let published: String
    /// The number of registered devices.
    let devices: Int
    let voided: Bool
    /// The last part of the address of the download page.
    let downloadKey: String
    /// Absent for a pass that is not signed yet.
    let sha256: String?

    init(_ entry: ListedPass) {
        passTypeIdentifier = entry.pass.identity.passTypeIdentifier
        serialNumber = entry.pass.identity.serialNumber
        published = entry.pass.modified.formatted(.iso8601)
        devices = entry.devices
        voided = entry.pass.isVoided
        downloadKey = entry.pass.downloadKey
        sha256 = entry.pass.sha256
    }
}

/// The totals, as the last record of `publish` for more than one pass or for rows of data.
struct PublicationSummaryRecord: Encodable {
    let version = 1
    let record = "publicationSummary"
    let added: Int
    let updated: Int
    let unchanged: Int
    let failed: Int

    init(_ tally: PublicationTally) {
        added = tally[.added]
        updated = tally[.updated]
        unchanged = tally[.unchanged]
        failed = tally.failed
    }
}

/// The size of a store: `status`.
struct StatusRecord: Encodable {
    let version = 1
    let record = "serviceStatus"
    let passes: Int
    let devices: Int
    let registrations: Int
    let logLines: Int
    let pendingPushes: Int
    let deliveredPushes: Int
    let refusedPushes: Int
    /// Registrations that were removed because APNs no longer knows their push token.
    let removedRegistrations: Int
    let fetches: Int
    /// As a string, as in the answers to devices.
    let tag: String

    init(_ status: ServiceStatus) {
        passes = status.passes
        devices = status.devices
        registrations = status.registrations
        logLines = status.logLines
        pendingPushes = status.pendingPushes
        deliveredPushes = status.deliveredPushes
        refusedPushes = status.refusedPushes
        removedRegistrations = status.removedRegistrations
        fetches = status.fetches
        tag = "\(status.tag)"
    }
}

/// A message of a device: `log`.
struct LogRecord: Encodable {
    let version = 1
    let record = "deviceLog"
    let received: String
    let text: String

    init(_ line: LogLine) {
        received = line.received.formatted(.iso8601)
        text = line.text
    }
}
