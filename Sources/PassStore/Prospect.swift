internal import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification

/// The expected result of adding a pass.
///
/// ```swift
/// let prospect = try library.prospect(of: incoming)
/// print(prospect.isHistory ? "an older version" : prospect.admission.rawValue)
/// ```
public struct Prospect: Sendable {
    /// The result that ``PassLibrary/add(_:)`` would return.
    public let admission: Admission
    /// The pass in the library; nil if it would be new.
    public let stored: StoredPass?
    /// The stored version that equals this one, if any.
    public let known: StoredVersion?

    /// The prospect of any pass while the library does not exist.
    public static let added = Prospect(admission: .added, stored: nil, known: nil)

    /// Whether this version is stored, but a better one is current.
    public var isHistory: Bool { known != nil && known?.id != stored?.current.id }
}

extension PassLibrary {
    /// The expected result of adding a pass, to inform the user before asking. Changes nothing, and
    /// works with read-only access. Other processes may add passes in between.
    ///
    /// An existing version is `unchanged`, even if ``add(_:)`` would record a new verdict.
    ///
    /// ```swift
    /// if try library.prospect(of: incoming).admission == .updated { print("a newer version") }
    /// ```
    ///
    /// - Throws: ``LibraryError`` if the index cannot be read.
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
            let best = VersionOrder(files).sorted([front, version]).first
            return Prospect(
                admission: best?.id == front.id ? .older : .updated,
                stored: try stored(pass, db), known: nil)
        }
    }

    private func stored(_ pass: PassRecord, _ db: Database) throws -> StoredPass? {
        try StoredPass.load([pass], db).first
    }
}
