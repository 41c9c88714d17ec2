internal import GRDB

extension PassLibrary {
    /// The passes that contain all `words`, in any of their languages, best match first.
    ///
    /// A word also matches the beginning of a longer one; case and accents are ignored.
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
        guard let query = SearchTable.query(words) else { return [] }
        let types = TypeFilter(visibleTypes)
        return try read { db in
            let passes = try PassRecord.fetchAll(
                db,
                sql: """
                    SELECT passes.* FROM search JOIN passes ON passes.id = search.rowid
                    WHERE search MATCH ? AND \(types.condition)
                    ORDER BY bm25(search, 10, 5, 10, 2, 1), passes.id DESC LIMIT ? OFFSET ?
                    """,
                arguments: [query] + types.arguments + [max(0, limit), max(0, offset)])
            return try StoredPass.load(passes, db)
        }
    }
}

/// The full-text table: a row per pass with the text of its current version.
enum SearchTable {
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
    }

    static func remove(_ pass: Int64?, _ db: Database) throws {
        try db.run("DELETE FROM search WHERE rowid = ?", [pass])
    }

    /// A query for the prefix of each word; nil if there are none.
    ///
    /// Each word is quoted, so that input is never FTS5 syntax.
    static func query(_ words: String) -> String? {
        let phrases = words.split(whereSeparator: \.isWhitespace)
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
            .map { word in
                let quoted = apart(String(word)).replacing("\"", with: " ").replacing(
                    "\0", with: " ")
                return "\"\(quoted)\" *"
            }
        return phrases.isEmpty ? nil : phrases.joined(separator: " ")
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
