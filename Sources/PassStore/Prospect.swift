internal import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification

/// What would become of a pass if it were added now.
public struct Prospect: Sendable {
    /// What ``PassLibrary/add(_:)`` would answer.
    public let admission: Admission
    /// The pass as the library has it; nil where it would be new.
    public let stored: StoredPass?
    /// The version in the library that this one is already; nil where it is another.
    public let known: StoredVersion?

    /// What becomes of every pass in a library that is not there yet.
    public static let added = Prospect(admission: .added, stored: nil, known: nil)

    /// Whether this version is in the library, and a better one of the same pass in front of it.
    public var isHistory: Bool { known != nil && known?.id != stored?.current.id }
}

extension PassLibrary {
    /// What would become of a pass if it were added now: to tell a person before asking. Changes
    /// nothing, also in an instance that only reads. Other processes may add in between.
    ///
    /// A version that is there already is `unchanged`, also where ``add(_:)`` would note that it is
    /// judged differently today.
    ///
    /// - Throws: ``LibraryError`` when the index cannot be read.
    public func prospect(of incoming: IncomingPass) throws(LibraryError) -> Prospect {
        try read { db in
            if let known = try Admittance.version(like: incoming.pass, db) {
                let pass = try PassRecord.fetchOne(db, key: known.pass)
                return Prospect(
                    admission: .unchanged, stored: try pass.flatMap { try stored($0, db) },
                    known: try StoredVersion.load([known], db).first)
            }
            guard let pass = try PassRecord.fetch(incoming.pass.pass.identity, db),
                let front = try pass.frontRecord(db)
            else { return .added }
            let now = Date.now.timeIntervalSince1970
            let version = VersionRecord(incoming, pass: front.pass, at: now)
            return Prospect(
                admission: front.rank > version.rank ? .older : .updated,
                stored: try stored(pass, db), known: nil)
        }
    }

    private func stored(_ pass: PassRecord, _ db: Database) throws -> StoredPass? {
        try StoredPass.load([pass], db).first
    }
}
