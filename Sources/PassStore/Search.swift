internal import Foundation
internal import GRDB

extension PassLibrary {
    /// The passes that contain all `words`, in any of their languages, best match first.
    ///
    /// A word also matches a part of a longer one; case and accents are ignored. Passes in which
    /// all words stand alone or begin a word come before those that contain one inside a word.
    /// A library that no process has written to since an earlier version of this package is not
    /// searched inside words.
    ///
    /// ```swift
    /// for pass in try library.search("são paulo") { print(pass.current.description) }
    /// ```
    ///
    /// - Parameters:
    ///   - words: As typed by the user, without any syntax. Words without a letter or digit match
    ///     nothing.
    ///   - limit: The maximum number of passes; a negative number counts as 0.
    ///   - offset: The number of passes to skip; a negative number counts as 0.
    /// - Throws: ``LibraryError`` if the index cannot be read.
    public func search(
        _ words: String, limit: Int = 100, offset: Int = 0
    ) throws(LibraryError) -> [StoredPass] {
        guard let query = SearchQuery(words, types: TypeFilter(visibleTypes)) else { return [] }
        let (limit, offset) = (max(0, limit), max(0, offset))
        return try read { db in
            var passes = try query.passesByWord(limit: limit, offset: offset, db)
            if passes.count < limit, try SearchTable.hasParts(db) {
                let first =
                    passes.isEmpty && offset > 0
                    ? try query.countByWord(db) : offset + passes.count
                passes += try query.passesByPart(
                    limit: limit - passes.count, offset: max(0, offset - first), db)
            }
            return try StoredPass.load(passes, db)
        }
    }

    /// The number of passes that ``search(_:limit:offset:)`` finds without a limit.
    package func searchCount(_ words: String) throws(LibraryError) -> Int {
        guard let query = SearchQuery(words, types: TypeFilter(visibleTypes)) else { return 0 }
        return try read { db in
            let parts = try SearchTable.hasParts(db) ? query.countByPart(db) : 0
            return try query.countByWord(db) + parts
        }
    }
}

/// The words of a search, as queries of the index.
private struct SearchQuery {
    private struct Word {
        /// An FTS5 query for words that begin with this one.
        let prefix: String
        let folded: String
        /// An FTS5 query for the texts with all sequences of three characters in the word; nil for
        /// a shorter word, for which all texts are read.
        let trigrams: String?
    }

    private let words: [Word]
    private let types: TypeFilter

    /// Longer searches find no parts of words, since each word is a query of its own.
    private static let mostParts = 30

    /// Nil if no word has a letter or digit.
    init?(_ text: String, types: TypeFilter) {
        words = text.split(whereSeparator: \.isWhitespace)
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
            .map { word in
                let word = String(word).replacing("\0", with: " ")
                let folded = SearchTable.folded(word)
                return Word(
                    prefix: SearchTable.prefix(word), folded: folded,
                    trigrams: SearchTable.trigrams(folded))
            }
        if words.isEmpty { return nil }
        self.types = types
    }

    private var byWord: String { words.map(\.prefix).joined(separator: " ") }

    /// The passes in which each word stands alone or begins a word, best match first.
    func passesByWord(limit: Int, offset: Int, _ db: Database) throws -> [PassRecord] {
        try PassRecord.fetchAll(
            db,
            sql: """
                SELECT passes.* FROM search JOIN passes ON passes.id = search.rowid
                WHERE search MATCH ? AND \(types.condition)
                ORDER BY bm25(search, 10, 5, 10, 2, 1), passes.id DESC LIMIT ? OFFSET ?
                """,
            arguments: [byWord] + types.arguments + [limit, offset])
    }

    func countByWord(_ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM search JOIN passes ON passes.id = search.rowid
                WHERE search MATCH ? AND \(types.condition)
                """,
            arguments: [byWord] + types.arguments) ?? 0
    }

    /// The other passes that contain all words, the newest first.
    func passesByPart(limit: Int, offset: Int, _ db: Database) throws -> [PassRecord] {
        guard let (condition, arguments) = byPart else { return [] }
        return try PassRecord.fetchAll(
            db,
            sql: "SELECT * FROM passes WHERE \(condition) ORDER BY id DESC LIMIT ? OFFSET ?",
            arguments: arguments + [limit, offset])
    }

    func countByPart(_ db: Database) throws -> Int {
        guard let (condition, arguments) = byPart else { return 0 }
        return try Int.fetchOne(
            db, sql: "SELECT count(*) FROM passes WHERE \(condition)", arguments: arguments) ?? 0
    }

    private var byPart: (condition: String, arguments: StatementArguments)? {
        guard words.count <= SearchQuery.mostParts else { return nil }
        var conditions = [
            """
            front IS NOT NULL
                AND id NOT IN (SELECT rowid FROM search WHERE search MATCH ?)
            """
        ]
        var arguments: StatementArguments = [byWord]
        for word in words {
            let found = word.trigrams == nil ? "foldedTexts" : "foldedTexts(?)"
            conditions.append(
                """
                (id IN (SELECT rowid FROM search WHERE search MATCH ?)
                    OR id IN (SELECT rowid FROM \(found) WHERE instr(text, ?) > 0))
                """)
            arguments += [word.prefix]
            if let trigrams = word.trigrams { arguments += [trigrams] }
            arguments += [word.folded]
        }
        conditions.append(types.condition)
        return (conditions.joined(separator: " AND "), arguments + types.arguments)
    }
}

/// The full-text tables: a row per pass with the text of its current version. `search` finds words
/// by their beginning, `foldedTexts` finds parts of words.
enum SearchTable {
    static let names = ["search", "foldedTexts"]

    /// More of them would find no fewer passes.
    private static let mostTrigrams = 50

    /// Stores the text of a version, which is searched while that version is current.
    static func keep(_ text: String, of version: Int64, _ db: Database) throws {
        try db.run("INSERT INTO texts (version, text) VALUES (?, ?)", [version, text])
    }

    static func index(_ pass: PassRecord, _ db: Database) throws {
        try remove(pass.id, db)
        guard let id = pass.id, let front = pass.front else { return }
        let text = try String.fetchOne(
            db, sql: "SELECT text FROM texts WHERE version = ?", arguments: [front])
        try db.run(
            """
            INSERT INTO search
                (rowid, organizationName, description, serialNumber, passTypeIdentifier, texts)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                id, apart(pass.organizationName), apart(pass.description), pass.serialNumber,
                pass.passTypeIdentifier, apart(text ?? ""),
            ])
        try indexParts(id, pass.serialNumber, text ?? "", db)
    }

    /// A trigger removes the pass from `foldedTexts`.
    static func remove(_ pass: Int64?, _ db: Database) throws {
        try db.run("DELETE FROM search WHERE rowid = ?", [pass])
    }

    /// Whether parts of words can be found: the table is missing in a library of an earlier version
    /// that is opened for reading.
    static func hasParts(_ db: Database) throws -> Bool { try db.tableExists("foldedTexts") }

    /// Fills the table of parts from the rows of an earlier version.
    static func indexAllParts(_ db: Database) throws {
        let passes = try Row.fetchCursor(
            db,
            sql: """
                SELECT passes.id, passes.serialNumber, ifnull(texts.text, '') AS text
                FROM passes LEFT JOIN texts ON texts.version = passes.front
                WHERE passes.front IS NOT NULL
                """)
        while let pass = try passes.next() {
            try indexParts(
                pass.value("id"), pass.value("serialNumber"), pass.value("text"), db)
        }
    }

    /// The pass type is left out: a part of `pass.com.example` would match most passes.
    private static func indexParts(
        _ pass: Int64, _ serialNumber: String, _ text: String, _ db: Database
    ) throws {
        try db.run(
            "INSERT OR REPLACE INTO foldedTexts (rowid, text) VALUES (?, ?)",
            [pass, folded("\(serialNumber)\n\(text)")])
    }

    /// A query for the words that begin with a word, which is quoted, so that it is never FTS5
    /// syntax.
    static func prefix(_ word: String) -> String {
        "\"\(apart(word).replacing("\"", with: " "))\" *"
    }

    /// A query for the texts with all trigrams at the beginning of a word; nil if there are none.
    static func trigrams(_ word: String) -> String? {
        let characters = Array(word.unicodeScalars.prefix(mostTrigrams + 2))
        guard characters.count > 2 else { return nil }
        return characters.indices.dropLast(2).map { start in
            let trigram = String(String.UnicodeScalarView(characters[start..<start + 3]))
            return "\"\(trigram.replacing("\"", with: "\"\""))\""
        }.joined(separator: " ")
    }

    /// The text without case, accents and width. FTS5's trigram tokenizer ignores only the case.
    static func folded(_ text: String) -> String {
        // Composing is slow, and only decomposed Korean and Japanese needs it.
        let isComposed = !text.unicodeScalars.contains(where: isConjoining)
        return (isComposed ? text : text.precomposedStringWithCanonicalMapping).folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    private static func isConjoining(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Vowels and final consonants of Hangul; voice marks of kana.
        case 0x1160...0x11FF, 0x3099...0x309A: true
        default: false
        }
    }

    /// Separates the characters of scripts without spaces between words, such as Chinese and
    /// Japanese, so that a searched word becomes a phrase.
    private static func apart(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isWrittenWithoutSpaces) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isWrittenWithoutSpaces(scalar) {
                result.append(" ")
                result.append(scalar)
                result.append(" ")
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Thai and Lao; kana; CJK ideographs; Hangul syllables; supplementary ideographs.
        case 0x0E00...0x0EFF, 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
