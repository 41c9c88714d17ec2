internal import GRDB

/// The tables of a store. Released migrations are never changed; changes are new migrations.
enum ServiceSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: passes, devices, registrations, log") { db in
            try db.execute(sql: first)
        }
        return migrator
    }

    /// Times are in seconds since 1970.
    private static let first = """
        CREATE TABLE sequence (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            -- The tag of the last change.
            tag INTEGER NOT NULL
        );
        INSERT INTO sequence (id, tag) VALUES (1, 0);

        CREATE TABLE passes (
            id INTEGER PRIMARY KEY,
            passTypeIdentifier TEXT NOT NULL,
            serialNumber TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            size INTEGER NOT NULL,
            tag INTEGER NOT NULL UNIQUE,
            modified INTEGER NOT NULL,
            UNIQUE (passTypeIdentifier, serialNumber)
        );
        CREATE INDEX passesByFile ON passes (sha256);

        -- The SHA-256 of each token that a version of the pass contained: a device that missed an
        -- update asks with the token of its own version.
        CREATE TABLE tokens (
            pass INTEGER NOT NULL REFERENCES passes (id) ON DELETE CASCADE,
            digest BLOB NOT NULL,
            PRIMARY KEY (pass, digest)
        ) WITHOUT ROWID;

        CREATE TABLE devices (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            pushToken TEXT NOT NULL,
            -- When the device last sent this token.
            confirmed INTEGER NOT NULL
        );

        CREATE TABLE registrations (
            device INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            pass INTEGER NOT NULL REFERENCES passes (id) ON DELETE CASCADE,
            registered INTEGER NOT NULL,
            PRIMARY KEY (device, pass)
        ) WITHOUT ROWID;
        CREATE INDEX registrationsByPass ON registrations (pass);

        CREATE TABLE log (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            received INTEGER NOT NULL,
            text TEXT NOT NULL
        );
        """
}
