internal import GRDB

/// The tables of the index. Released migrations are never changed; changes are new migrations.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: passes, versions, origins, changes, search") { db in
            try db.execute(sql: first)
        }
        migrator.registerMigration("2: notes on sources") { db in
            try db.execute(sql: second)
        }
        migrator.registerMigration("3: downloads") { db in
            try db.execute(sql: downloads)
        }
        migrator.registerMigration("4: updates") { db in
            try db.execute(sql: updates)
        }
        migrator.registerMigration("5: conditions of downloads") { db in
            try db.execute(sql: conditionsOfDownloads)
        }
        migrator.registerMigration("6: spans in which passes are of use") { db in
            try db.execute(sql: relevantDates)
        }
        migrator.registerMigration("7: failures as data") { db in
            try db.execute(sql: failuresOfDownloads)
            try db.execute(sql: failuresOfUpdates)
        }
        // Adds no table, but makes earlier programs refuse the library: they cannot read the
        // findings of versions stored from now on. Older rows are unchanged; see `StoredFinding`.
        migrator.registerMigration("8: findings as data") { _ in }
        migrator.registerMigration("9: search inside words") { db in
            try db.execute(sql: foldedTexts)
            try SearchTable.indexAllParts(db)
        }
        migrator.registerMigration("10: anchors") { db in
            try db.execute(sql: anchors)
        }
        migrator.registerMigration("11: settings of passes") { db in
            try db.execute(sql: settings)
        }
        migrator.registerMigration("12: registrations at web services") { db in
            try db.execute(sql: registrations)
        }
        migrator.registerMigration("13: arrivals, replaced files") { db in
            try keepFronts(db)
            try db.execute(sql: replacedFiles)
        }
        migrator.registerMigration("14: names of passes") { db in
            try db.execute(sql: names)
        }
        migrator.registerMigration("15: no registrations") { db in
            try db.execute(sql: withoutRegistrations)
        }
        return migrator
    }

    /// Whether an index contains the tables of passes.
    static func hasPasses(_ db: Database) throws -> Bool {
        try migrator.appliedIdentifiers(db).contains(migrator.migrations[0])
    }

    /// IDs are AUTOINCREMENT, so that an ID noted by a user, or passed by a reader of changes, is
    /// never reused. Times are in seconds since 1970.
    private static let first = """
        CREATE TABLE passes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            passTypeIdentifier TEXT NOT NULL,
            serialNumber TEXT NOT NULL,
            -- The version in front, and the columns of it that lists are sorted by.
            front INTEGER REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED,
            organizationName TEXT NOT NULL COLLATE NOCASE,
            description TEXT NOT NULL COLLATE NOCASE,
            relevantDate REAL,
            updatedAt REAL NOT NULL,
            UNIQUE (passTypeIdentifier, serialNumber)
        );
        CREATE INDEX passesBySerialNumber ON passes (serialNumber);
        CREATE INDEX passesByOrganization
            ON passes (organizationName, description, relevantDate, id);
        CREATE INDEX passesByRelevantDate ON passes (relevantDate, id);
        CREATE INDEX passesByUpdate ON passes (updatedAt, id);

        CREATE TABLE versions (
            id INTEGER PRIMARY KEY,
            pass INTEGER NOT NULL REFERENCES passes (id) ON DELETE CASCADE,
            sha256 TEXT NOT NULL UNIQUE,
            size INTEGER NOT NULL,
            manifestSHA256 TEXT,
            verdict TEXT NOT NULL,
            reasons TEXT NOT NULL,
            notes TEXT NOT NULL,
            signedAt REAL,
            firstSeen REAL,
            importedAt REAL NOT NULL,
            teamIdentifier TEXT NOT NULL,
            organizationName TEXT NOT NULL,
            description TEXT NOT NULL,
            style TEXT,
            relevantDate REAL,
            expirationDate REAL,
            isVoided INTEGER NOT NULL
        );
        CREATE INDEX versionsByPass ON versions (pass);

        -- What a version says to people, for the search.
        CREATE TABLE texts (
            version INTEGER PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
            text TEXT NOT NULL
        );

        CREATE TABLE origins (
            id INTEGER PRIMARY KEY,
            version INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
            source TEXT NOT NULL,
            messageID TEXT,
            "from" TEXT,
            date REAL,
            subject TEXT,
            part TEXT
        );
        CREATE UNIQUE INDEX originsOnce ON origins (
            version, source, ifnull(messageID, ''), ifnull("from", ''), ifnull(date, ''),
            ifnull(subject, ''), ifnull(part, ''));

        CREATE TABLE changes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            passTypeIdentifier TEXT NOT NULL,
            serialNumber TEXT NOT NULL,
            at REAL NOT NULL
        );

        CREATE VIRTUAL TABLE search USING fts5 (
            organizationName, description, serialNumber, passTypeIdentifier, texts,
            tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
        );
        """

    /// AUTOINCREMENT, so that replacing a note by its ID never affects another one.
    private static let second = """
        CREATE TABLE sourceNotes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            source BLOB NOT NULL,
            manner BLOB NOT NULL,
            content BLOB NOT NULL
        );
        CREATE INDEX sourceNotesBySource ON sourceNotes (source);
        """

    /// AUTOINCREMENT, so that a leftover file never belongs to another download. `parent` is not a
    /// foreign key, since a page may be deleted before the downloads that it links to.
    private static let downloads = """
        CREATE TABLE downloads (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            contentURL TEXT NOT NULL,
            -- The mail that a link was in, where it was in one.
            source TEXT,
            messageID TEXT,
            "from" TEXT,
            date REAL,
            subject TEXT,
            part TEXT,
            parent INTEGER,
            state TEXT NOT NULL,
            expectedContentLength INTEGER,
            receivedContentLength INTEGER NOT NULL,
            timeRemaining REAL,
            errorCode TEXT,
            errorDetail TEXT,
            attempts INTEGER NOT NULL,
            nextAttempt REAL,
            createdAt REAL NOT NULL,
            updatedAt REAL NOT NULL,
            outcome TEXT,
            url TEXT,
            contentType TEXT,
            contentDisposition TEXT,
            validator TEXT,
            wasResumed INTEGER NOT NULL
        );
        CREATE INDEX downloadsByURL ON downloads (contentURL);
        CREATE INDEX downloadsByEnd ON downloads (updatedAt)
            WHERE state NOT IN ('waiting', 'paused');
        """

    /// NULL without conditions, and in rows older than this column.
    private static let conditionsOfDownloads = "ALTER TABLE downloads ADD COLUMN conditions TEXT"

    /// JSON; NULL for a version with at most one date, and in rows older than this column.
    private static let relevantDates = "ALTER TABLE versions ADD COLUMN relevantDates TEXT"

    /// The form of `PassNames`; NULL in rows older than this column, except the most recent
    /// ones; see `Index`.
    private static let names = """
        ALTER TABLE versions ADD COLUMN arrival REAL;
        -- Empty for a file that cannot be read.
        ALTER TABLE versions ADD COLUMN names TEXT;
        CREATE INDEX versionsWithoutNames ON versions (id) WHERE names IS NULL;
        """

    /// JSON; NULL without a failure, and in rows older than this column, which have a text in
    /// `errorDetail`.
    private static let failuresOfDownloads = "ALTER TABLE downloads ADD COLUMN failure TEXT"

    /// JSON; NULL without a failure, and in rows older than this column, which have a text in
    /// `detail`.
    private static let failuresOfUpdates = "ALTER TABLE updates ADD COLUMN failure TEXT"

    /// Without the positions of trigrams, which would double its size; a search compares the texts
    /// themselves.
    private static let foldedTexts = """
        CREATE VIRTUAL TABLE foldedTexts USING fts5 (text, tokenize = 'trigram', detail = none);
        CREATE TRIGGER foldedTextsByPass AFTER DELETE ON passes BEGIN
            DELETE FROM foldedTexts WHERE rowid = old.id;
        END
        """

    /// The anchor that vouches for a version: its fingerprint, and who chose it. NULL if none does,
    /// and in rows older than these columns; see `VersionOrder`.
    private static let anchors = """
        ALTER TABLE versions ADD COLUMN anchor TEXT;
        ALTER TABLE versions ADD COLUMN anchorOrigin TEXT;
        """

    /// The registrations of this library at web services that announce their event stream. They do
    /// not refer to passes, so that a registration can be ended after its pass was removed.
    private static let registrations = """
        -- The identifiers of this library at hosts. They are random, and known only to the host.
        CREATE TABLE devices (host TEXT PRIMARY KEY, identifier TEXT NOT NULL);

        CREATE TABLE services (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            -- The webServiceURL of its passes, as their requests use it.
            url TEXT NOT NULL UNIQUE,
            host TEXT NOT NULL,
            announcesEvents INTEGER NOT NULL DEFAULT 0,
            -- Before this time, no messages are sent to its log.
            logAt REAL NOT NULL DEFAULT 0
        );

        -- The tag of the last list of a pass type whose passes were all fetched.
        CREATE TABLE tags (
            service INTEGER NOT NULL REFERENCES services (id) ON DELETE CASCADE,
            passTypeIdentifier TEXT NOT NULL,
            tag TEXT NOT NULL,
            PRIMARY KEY (service, passTypeIdentifier)
        );

        CREATE TABLE registrations (
            -- The request URL of the pass, which names its service and the pass.
            url TEXT PRIMARY KEY,
            service INTEGER NOT NULL REFERENCES services (id) ON DELETE CASCADE,
            passTypeIdentifier TEXT NOT NULL,
            serialNumber TEXT NOT NULL,
            token TEXT NOT NULL,
            -- registered, refused by the service, or leaving: to be ended.
            state TEXT NOT NULL,
            -- When to register again, or when to try again to end it.
            dueAt REAL NOT NULL,
            -- The number of attempts to end it.
            attempts INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX registrationsByPass
            ON registrations (service, passTypeIdentifier, serialNumber);
        CREATE INDEX updatesByURL ON updates (url);
        """

    /// Passes are not registered any more: without a push token of Apple's service, no issuer's
    /// service but our own took part.
    private static let withoutRegistrations = """
        DROP INDEX updatesByURL;
        DROP TABLE tags;
        DROP TABLE registrations;
        DROP TABLE devices;
        ALTER TABLE services DROP COLUMN announcesEvents;
        """

    /// The user's settings: of each pass, and of the library. `settings` contains only what the user
    /// has set; the value is 0 or 1.
    private static let settings = """
        ALTER TABLE passes ADD COLUMN updatesAutomatically INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE passes ADD COLUMN showsNotifications INTEGER NOT NULL DEFAULT 1;
        CREATE TABLE settings (
            name TEXT NOT NULL PRIMARY KEY,
            value INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// Gives a new ID to each current version if a later one has the same signing time, so that it
    /// stays current: IDs decide now, which grow in the order of arrival; before, the earliest date
    /// of a message did.
    private static func keepFronts(_ db: Database) throws {
        let fronts = try Row.fetchAll(
            db,
            sql: """
                SELECT passes.id AS pass, versions.id AS version FROM passes
                JOIN versions ON versions.id = passes.front
                WHERE EXISTS (
                    SELECT 1 FROM versions AS later
                    WHERE later.pass = passes.id AND later.id > versions.id
                        AND later.verdict = versions.verdict
                        AND later.signedAt IS versions.signedAt)
                ORDER BY versions.id
                """)
        var last = try Int64.fetchOne(db, sql: "SELECT max(id) FROM versions") ?? 0
        for front in fronts {
            last += 1
            let (pass, version): (Int64, Int64) = (
                try front.value("pass"), try front.value("version")
            )
            try db.run("UPDATE versions SET id = ? WHERE id = ?", [last, version])
            try db.run("UPDATE passes SET front = ? WHERE id = ?", [last, pass])
            for table in ["texts", "origins", "updates"] {
                try db.run("UPDATE \(table) SET version = ? WHERE version = ?", [last, version])
            }
        }
    }

    private static let replacedFiles = """
        ALTER TABLE versions DROP COLUMN firstSeen;
        -- Files whose place a better copy took, until they are deleted.
        CREATE TABLE replacedFiles (
            sha256 TEXT NOT NULL PRIMARY KEY,
            pass INTEGER NOT NULL REFERENCES passes (id) ON DELETE CASCADE,
            replacedAt REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX replacedFilesByPass ON replacedFiles (pass);
        """

    /// Creates the tables of a temporary queue.
    static func makeDownloads(_ db: Database) throws {
        try db.execute(sql: downloads)
        try db.execute(sql: conditionsOfDownloads)
        try db.execute(sql: failuresOfDownloads)
    }

    /// The update state of a version of a pass, or the fact that it has no web service. Deleted
    /// with the version.
    private static let updates = """
        CREATE TABLE updates (
            pass INTEGER PRIMARY KEY REFERENCES passes (id) ON DELETE CASCADE,
            version INTEGER NOT NULL UNIQUE REFERENCES versions (id) ON DELETE CASCADE,
            -- Where and with what token to ask; NULL where the version does not say.
            url TEXT,
            token TEXT,
            host TEXT,
            lastModified TEXT,
            askedAt REAL NOT NULL DEFAULT 0,
            -- NULL where it is not to be asked again.
            dueAt REAL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0,
            -- How the last answer is called in records, and what was wrong with it.
            outcome TEXT,
            detail TEXT
        );
        CREATE INDEX updatesByHost ON updates (host, askedAt, pass);
        """
}
