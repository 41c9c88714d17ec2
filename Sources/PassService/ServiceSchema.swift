internal import Databases

/// The tables of a store. Released steps are never changed; changes are new steps.
enum ServiceSchema {
    private static let steps = [first, templates, voidPasses, eventDevices, pushDevices]

    /// Creates or updates the tables. A new store has no tables yet.
    ///
    /// - Throws: `isNewer()` if a later version of this program made the tables.
    static func migrate(
        _ transaction: borrowing any SQLTransaction, isNewer: () -> ServiceError
    ) throws {
        if transaction.dialect == .postgreSQL {
            // Two servers may start at once. The number is the lock of this program.
            try transaction.rows("SELECT pg_advisory_xact_lock(7016996765293437281)")
        }
        var version = 0
        if try hasTables(transaction) {
            version = Int(
                try transaction.row("SELECT version FROM schemaVersion")?.integer(0) ?? 0)
        } else {
            try transaction.run(
                script: """
                    CREATE TABLE schemaVersion (version BIGINT NOT NULL);
                    INSERT INTO schemaVersion (version) VALUES (0);
                    """)
        }
        guard version <= steps.count else { throw isNewer() }
        guard version < steps.count else { return }
        for step in steps.dropFirst(version) {
            try transaction.run(script: step(transaction.dialect))
        }
        try transaction.rows("UPDATE schemaVersion SET version = $1", .integer(Int64(steps.count)))
    }

    static func hasTables(_ transaction: borrowing any SQLTransaction) throws -> Bool {
        try transaction.hasTable("schemaVersion")
    }

    /// Times are in milliseconds since 1970, but `modified` is in seconds.
    private static func first(_ dialect: SQLDialect) -> String {
        """
        -- The tag of the last change. Publications lock this row first, so that tags are committed
        -- in their order.
        CREATE TABLE sequence (tag BIGINT NOT NULL);
        INSERT INTO sequence (tag) VALUES (0);

        CREATE TABLE passes (
            id \(dialect.assignedKey),
            passTypeIdentifier TEXT NOT NULL,
            serialNumber TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            size BIGINT NOT NULL,
            tag BIGINT NOT NULL UNIQUE,
            modified BIGINT NOT NULL,
            -- The secret part of the address of the download page.
            downloadKey TEXT NOT NULL UNIQUE,
            UNIQUE (passTypeIdentifier, serialNumber)
        );

        CREATE TABLE files (
            pass BIGINT PRIMARY KEY REFERENCES passes (id) ON DELETE CASCADE,
            octets \(dialect.bytes) NOT NULL
        );

        -- The SHA-256 of each token that a version of the pass contained: a device that missed an
        -- update asks with the token of its own version.
        CREATE TABLE tokens (
            pass BIGINT NOT NULL REFERENCES passes (id) ON DELETE CASCADE,
            digest \(dialect.bytes) NOT NULL,
            PRIMARY KEY (pass, digest)
        );

        CREATE TABLE devices (
            id \(dialect.assignedKey),
            identifier TEXT NOT NULL UNIQUE,
            pushToken TEXT NOT NULL
        );

        CREATE TABLE registrations (
            device BIGINT NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            pass BIGINT NOT NULL REFERENCES passes (id) ON DELETE CASCADE,
            -- When the device registered last.
            confirmed BIGINT NOT NULL,
            PRIMARY KEY (device, pass)
        );
        CREATE INDEX registrationsByPass ON registrations (pass);

        -- Pushes to be sent, written in the transaction that publishes.
        CREATE TABLE outbox (
            device BIGINT NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            passTypeIdentifier TEXT NOT NULL,
            -- The tag of the last change.
            tag BIGINT NOT NULL,
            due BIGINT NOT NULL,
            attempts BIGINT NOT NULL,
            PRIMARY KEY (device, passTypeIdentifier)
        );
        CREATE INDEX outboxByTime ON outbox (due);

        CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL);

        CREATE TABLE log (
            id \(dialect.assignedKey),
            received BIGINT NOT NULL,
            text TEXT NOT NULL
        );
        """
    }

    /// Adds templates and rows. A pass made from a row is signed at its first request. Until then,
    /// its `sha256` is empty, its `size` is 0, and it has no file.
    private static func templates(_ dialect: SQLDialect) -> String {
        """
        CREATE TABLE templates (
            id \(dialect.assignedKey),
            digest TEXT NOT NULL UNIQUE
        );

        CREATE TABLE templateFiles (
            template BIGINT NOT NULL REFERENCES templates (id) ON DELETE CASCADE,
            path TEXT NOT NULL,
            octets \(dialect.bytes) NOT NULL,
            PRIMARY KEY (template, path)
        );

        -- The rows of which current versions are made.
        CREATE TABLE passRows (
            pass BIGINT PRIMARY KEY REFERENCES passes (id) ON DELETE CASCADE,
            template BIGINT NOT NULL REFERENCES templates (id),
            -- A JSON object: the value of each column.
            contents TEXT NOT NULL,
            -- 1 if the pass is declared void.
            voided BIGINT NOT NULL,
            -- Of all that makes the pass.
            digest TEXT NOT NULL
        );
        CREATE INDEX passRowsByTemplate ON passRows (template);

        CREATE TABLE rowImages (
            pass BIGINT NOT NULL REFERENCES passRows (pass) ON DELETE CASCADE,
            path TEXT NOT NULL,
            octets \(dialect.bytes) NOT NULL,
            PRIMARY KEY (pass, path)
        );
        """
    }

    /// Adds whether a pass is void. Files that were published earlier count as valid.
    private static func voidPasses(_: SQLDialect) -> String {
        """
        ALTER TABLE passes ADD COLUMN voided BIGINT NOT NULL DEFAULT 0;
        UPDATE passes SET voided = 1 WHERE id IN (SELECT pass FROM passRows WHERE voided = 1);
        """
    }

    /// Adds whether a device asks for events instead of pushes. Its `pushToken` is then empty.
    private static func eventDevices(_: SQLDialect) -> String {
        """
        ALTER TABLE devices ADD COLUMN events BIGINT NOT NULL DEFAULT 0;
        """
    }

    /// Removes devices that asked for events, which are no longer sent, and their registrations.
    private static func pushDevices(_: SQLDialect) -> String {
        """
        DELETE FROM devices WHERE events = 1;
        ALTER TABLE devices DROP COLUMN events;
        """
    }
}
