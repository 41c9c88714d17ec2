package import Foundation
internal import GRDB

/// A note that a reader of sources stores about a source, so that it need not read the source
/// again.
///
/// The library does not interpret notes. They are stored in the index together with the passes
/// found in the source, so that deleting or restoring a library includes its notes: they never
/// refer to passes that the library does not contain.
package struct SourceNote: Sendable, Hashable {
    /// The name of the source. Names are compared bytewise.
    package let source: Data
    /// A key of everything else that the reading depended on.
    package let manner: Data
    /// The contents.
    package let content: Data

    /// Creates a note.
    package init(source: Data, manner: Data, content: Data) {
        self.source = source
        self.manner = manner
        self.content = content
    }
}

/// A stored note.
package struct KeptSourceNote: Sendable, Hashable {
    /// The ID; never reused for another note.
    package let id: Int64
    /// The name of the source.
    package let source: Data
    /// The contents; nil if the note was stored with another `manner` than requested.
    package let content: Data?
}

extension PassLibrary {
    /// The notes about a source, and about sources whose names begin with its name and a slash,
    /// oldest first. Processes that read a source concurrently each add a note.
    ///
    /// - Parameters:
    ///   - source: The name of the source.
    ///   - manner: How the source is read.
    ///   - isDeep: Whether to include names with further slashes.
    /// - Throws: ``LibraryError`` if the index cannot be read.
    package func sourceNotes(
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
                // `0` follows the slash in ASCII.
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

    /// Stores notes in place of others, in one transaction. Add the passes found in the sources
    /// first. If one of the old notes is missing, nothing is stored: the library deleted that note
    /// because it was no longer true.
    ///
    /// - Returns: The IDs of the notes, in order; empty if none were stored.
    /// - Throws: ``LibraryError/cannotWrite(path:reason:)``, also for a read-only instance;
    ///   ``LibraryError/locked(_:)``; ``LibraryError/replaced(_:)``.
    @discardableResult
    package func keep(
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
    /// Deletes all notes, because a pass was lost and its source must be read again.
    static func forget(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM sourceNotes")
    }
}
