/// The library queries of the program, run in SQLite's shell on the same file.
extension Works {
    func listQuery(_ piece: Piece) -> Work {
        query(piece, "SELECT * FROM passes ORDER BY relevantDate DESC, id DESC LIMIT 50")
    }

    func searchQuery(_ piece: Piece) -> Work {
        query(
            piece,
            """
            SELECT passes.* FROM search JOIN passes ON passes.id = search.rowid
            WHERE search MATCH '"lisbon" *'
            ORDER BY bm25(search, 10, 5, 10, 2, 1), passes.id DESC LIMIT 100
            """)
    }

    func showQuery(_ piece: Piece) -> Work { query(piece, "SELECT * FROM passes WHERE id = 42") }

    /// Selects passes with their current version and origins.
    private func query(_ piece: Piece, _ passes: String) -> Work {
        Work(
            name: "sqlite3",
            words: [
                "sqlite3", "-readonly", "\(corpus.path(piece))/library.sqlite",
                """
                SELECT * FROM (\(passes)) AS p JOIN versions ON versions.id = p.front
                JOIN origins ON origins.version = versions.id
                """,
            ],
            piece: piece)
    }
}
