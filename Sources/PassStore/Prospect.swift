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
    /// Whether ``PassLibrary/add(_:)`` would store this copy of the known version in place of its
    /// file.
    package let isBetterCopy: Bool

    /// The prospect of any pass while the library does not exist.
    public static let added = Prospect(
        admission: .added, stored: nil, known: nil, isBetterCopy: false)

    /// Whether this version is stored, but a better one is current.
    public var isHistory: Bool { known != nil && known?.id != stored?.current.id }
}

extension PassLibrary {
    /// The expected result of adding a pass, to inform the user before asking. Changes nothing, and
    /// works with read-only access. Other processes may add passes in between.
    ///
    /// An existing version is `unchanged`, even if ``add(_:)`` would record a new verdict or store
    /// this copy of it.
    ///
    /// ```swift
    /// if try library.prospect(of: incoming).admission == .updated { print("a newer version") }
    /// ```
    ///
    /// - Throws: ``LibraryError`` if the index cannot be read.
    public func prospect(of incoming: IncomingPass) throws(LibraryError) -> Prospect {
        try read { db in
            if let copy = try StoredCopy.find(incoming.pass, db, files) {
                let pass = try PassRecord.fetchOne(db, key: copy.version.pass)
                return Prospect(
                    admission: .unchanged, stored: try pass.flatMap { try stored($0, db) },
                    known: try StoredVersion.load([copy.version], db).first,
                    isBetterCopy: copy.isWorse(than: incoming.pass))
            }
            guard let pass = try PassRecord.fetch(incoming.pass.pass.identity, db),
                let front = try pass.frontRecord(db)
            else { return .added }
            let now = Date.now.timeIntervalSince1970
            let version = VersionRecord(incoming.pass, pass: front.pass, at: now, arrival: now)
            let best = try VersionOrder(files).sorted([front, version]).first
            return Prospect(
                admission: best?.id == front.id ? .older : .updated,
                stored: try stored(pass, db), known: nil, isBetterCopy: false)
        }
    }

    private func stored(_ pass: PassRecord, _ db: Database) throws -> StoredPass? {
        try StoredPass.load([pass], db).first
    }
}
