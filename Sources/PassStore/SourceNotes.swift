public import Foundation
internal import GRDB

/// What somebody who reads sources noted about one of them, so that it need not be read again.
///
/// The library keeps notes and does not look into them: what they say is for those who write them.
/// They lie in the index, beside the passes that came of the reading, so that a library which is
/// deleted or restored takes its notes along: none speaks of passes that it never had.
public struct SourceNote: Sendable, Hashable {
    /// The name of the source. Names are compared byte by byte.
    public let source: Data
    /// What the reading depended on beside the source, in a form that is the same for the same.
    public let manner: Data
    /// What was noted.
    public let content: Data

    /// A note that is to be kept.
    public init(source: Data, manner: Data, content: Data) {
        self.source = source
        self.manner = manner
        self.content = content
    }
}

/// A note that the library has.
public struct KeptSourceNote: Sendable, Hashable {
    /// What the library calls it; never means another note.
    public let id: Int64
    /// The name of the source.
    public let source: Data
    /// What was noted; nil where the source was read in another manner than was asked for.
    public let content: Data?
}

extension PassLibrary {
    /// The notes on a source and on those whose names begin with its name and a slash, the oldest
    /// first. There may be several on one: processes that read it at the same time each leave theirs.
    ///
    /// - Parameter isDeep: Whether those are meant too in whose names another slash follows.
    /// - Throws: ``LibraryError`` when the index cannot be read.
    public func sourceNotes(
        within source: Data, manner: Data, isDeep: Bool = true
    ) throws(LibraryError) -> [KeptSourceNote] {
        try mendingOnce { () throws(LibraryError) in
            try sourceNotesOnce(within: source, manner: manner, isDeep: isDeep)
        }
    }

    private func sourceNotesOnce(
        within source: Data, manner: Data, isDeep: Bool
    ) throws(LibraryError) -> [KeptSourceNote] {
        try read { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT id, source, CASE WHEN manner = ?1 THEN content END FROM sourceNotes
                        WHERE source = ?2 OR (
                            source >= ?3 AND source < ?4
                                AND (?5 OR instr(substr(source, ?6), x'2f') = 0)
                        ) ORDER BY id
                        """),
                // The byte behind the slash is the zero.
                arguments: [
                    manner, source, source + Data("/".utf8), source + Data("0".utf8), isDeep,
                    source.count + 2,
                ])
            var notes: [KeptSourceNote] = []
            while let row = try rows.next() {
                notes.append(KeptSourceNote(id: row[0], source: row[1], content: row[2]))
            }
            return notes
        }
    }

    /// Keeps notes instead of others, in one transaction. What they say must be true of the library
    /// by then: a pass that came of the reading is added before. Where one of the others is gone,
    /// nothing is kept: the library forgot it, since what it said is no longer true.
    ///
    /// - Returns: What the library calls the notes, in their order; nothing where none was kept.
    /// - Throws: ``LibraryError/cannotWrite(path:reason:)``, also for an instance that only reads;
    ///   ``LibraryError/locked(_:)``; ``LibraryError/replaced(_:)``.
    @discardableResult
    public func keep(
        _ notes: [SourceNote], insteadOf old: [Int64] = []
    ) throws(LibraryError) -> [Int64] {
        try mendingOnce { () throws(LibraryError) in try keepOnce(notes, insteadOf: old) }
    }

    private func keepOnce(
        _ notes: [SourceNote], insteadOf old: [Int64]
    ) throws(LibraryError) -> [Int64] {
        try write { db in
            for id in old {
                let isThere = try Bool.fetchOne(
                    db, sql: "SELECT 1 FROM sourceNotes WHERE id = ?", arguments: [id])
                if isThere == nil { return [] }
            }
            for id in old { try db.run("DELETE FROM sourceNotes WHERE id = ?", [id]) }
            return try notes.map { note in
                try db.run(
                    "INSERT INTO sourceNotes (source, manner, content) VALUES (?, ?, ?)",
                    [note.source, note.manner, note.content])
                return db.lastInsertedRowID
            }
        }
    }
}

/// The table of notes.
enum SourceNotes {
    /// Forgets them all: a pass was lost, and reading its source again brings it back.
    static func forget(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM sourceNotes")
    }
}
