internal import GRDB
public import PassModel

extension PassLibrary {
    /// The number of passes.
    ///
    /// ```swift
    /// print("\(try library.count()) passes")
    /// ```
    ///
    /// - Throws: ``LibraryError`` if the index cannot be read.
    public func count() throws(LibraryError) -> Int {
        let types = TypeFilter(visibleTypes)
        return try read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM passes WHERE \(types.condition)",
                arguments: types.arguments) ?? 0
        }
    }

    /// A page of the passes; all of them by default.
    ///
    /// In PassKit: `PKPassLibrary.passes()`.
    ///
    /// ```swift
    /// for pass in try library.passes(sortedBy: .relevantDate, limit: 20) {
    ///     print(pass.current.description, pass.current.relevantDate ?? "")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - order: The sort order.
    ///   - limit: The maximum number of passes; a negative number counts as 0.
    ///   - offset: The number of passes to skip; a negative number counts as 0.
    /// - Throws: ``LibraryError`` if the index cannot be read.
    public func passes(
        sortedBy order: PassOrder = .organization, limit: Int = .max, offset: Int = 0
    ) throws(LibraryError) -> [StoredPass] {
        let types = TypeFilter(visibleTypes)
        return try read { db in
            let passes = try PassRecord.fetchAll(
                db,
                sql: """
                    SELECT * FROM passes WHERE \(types.condition)
                    ORDER BY \(order.columns) LIMIT ? OFFSET ?
                    """,
                arguments: types.arguments + [max(0, limit), max(0, offset)])
            return try StoredPass.load(passes, db)
        }
    }

    /// The pass with this type and serial number; nil if there is none.
    /// `PKPassLibrary.pass(withPassTypeIdentifier:serialNumber:)` is PassKit's counterpart.
    ///
    /// ```swift
    /// let card = try library.pass(
    ///     withPassTypeIdentifier: "pass.com.example.card", serialNumber: "0001")
    /// print(card?.current.description ?? "no card")
    /// ```
    ///
    /// - Throws: ``LibraryError`` if the index cannot be read.
    public func pass(
        withPassTypeIdentifier passTypeIdentifier: String, serialNumber: String
    ) throws(LibraryError) -> StoredPass? {
        try pass(
            PassIdentity(passTypeIdentifier: passTypeIdentifier, serialNumber: serialNumber))
    }

    /// The pass with this identity; nil if there is none.
    ///
    /// ```swift
    /// if let identity = PassIdentity(passURL: url), let pass = try library.pass(identity) {
    ///     print(pass.current.description)
    /// }
    /// ```
    ///
    /// - Throws: ``LibraryError`` if the index cannot be read.
    public func pass(_ identity: PassIdentity) throws(LibraryError) -> StoredPass? {
        try read { db in
            guard let pass = try visible(identity, db) else { return nil }
            return try StoredPass.load([pass], db).first
        }
    }

    /// Whether any version of this pass is in the library.
    ///
    /// In PassKit: `PKPassLibrary.containsPass(_:)`; here, an instance does not see passes of other
    /// types than its own.
    ///
    /// ```swift
    /// let card = PassIdentity(passTypeIdentifier: "pass.com.example.card", serialNumber: "0001")
    /// print(try library.contains(card))
    /// ```
    ///
    /// - Throws: ``LibraryError`` if the index cannot be read.
    public func contains(_ identity: PassIdentity) throws(LibraryError) -> Bool {
        try read { db in try visible(identity, db) != nil }
    }

    /// All versions of a pass, best first, beginning with the current one. Empty if there is no
    /// such pass.
    ///
    /// ```swift
    /// for version in try library.versions(of: stored.identity) {
    ///     print(version.importedAt, version.verdict)
    /// }
    /// ```
    ///
    /// - Throws: ``LibraryError`` if the index cannot be read.
    public func versions(of identity: PassIdentity) throws(LibraryError) -> [StoredVersion] {
        try read { db in
            guard let pass = try visible(identity, db) else { return [] }
            let versions = try VersionRecord.fetchAll(
                db, sql: "SELECT * FROM versions WHERE pass = ?", arguments: [pass.id])
            return try StoredVersion.load(try VersionOrder(files).sorted(versions), db)
        }
    }

    /// All versions of these passes by ID, each in the order of ``versions(of:)``, loaded into
    /// memory at once.
    ///
    /// ```swift
    /// let versions = try library.versions(of: library.passes(limit: 100))
    /// print(versions[stored.id]?.count ?? 0)
    /// ```
    ///
    /// - Throws: ``LibraryError`` if the index cannot be read.
    public func versions(
        of passes: some Collection<StoredPass>
    ) throws(LibraryError) -> [StoredPass.ID: [StoredVersion]] {
        let ids = passes.map(\.id)
        return try read { db in
            var records: [VersionRecord] = []
            for part in ids.chunked(500) {
                records += try VersionRecord.fetchAll(
                    db, sql: "SELECT * FROM versions WHERE pass IN (\(placeholders(part.count)))",
                    arguments: StatementArguments(part))
            }
            let sorted = try VersionOrder(files).sorted(records)
            return Dictionary(grouping: try StoredVersion.load(sorted, db), by: \.passID)
        }
    }

    /// The passes with more than one version.
    package func passesWithHistory() throws(LibraryError) -> Set<StoredPass.ID> {
        try read { db in
            try Int64.fetchSet(
                db, sql: "SELECT pass FROM versions GROUP BY pass HAVING count(*) > 1")
        }
    }

    func visible(_ identity: PassIdentity, _ db: Database) throws -> PassRecord? {
        guard sees(identity.passTypeIdentifier) else { return nil }
        return try PassRecord.fetch(identity, db)
    }

    /// Whether this instance sees passes of a type.
    func sees(_ passTypeIdentifier: String) -> Bool {
        visibleTypes?.contains(ExactText(passTypeIdentifier)) != false
    }
}

/// An SQL condition on `passes` for the types that an instance sees.
struct TypeFilter {
    let condition: String
    let arguments: StatementArguments

    init(_ types: Set<ExactText>?) {
        guard let types else {
            condition = "1"
            arguments = []
            return
        }
        let places = Array(repeating: "?", count: types.count).joined(separator: ", ")
        condition = "passes.passTypeIdentifier IN (\(places))"
        arguments = StatementArguments(types.sorted().map(\.text))
    }
}

extension PassOrder {
    fileprivate var columns: String {
        switch self {
        case .organization: "organizationName, description, relevantDate, id"
        case .relevantDate: "relevantDate DESC, id DESC"
        case .lastUpdate: "updatedAt DESC, id DESC"
        }
    }
}

extension StoredPass {
    /// The passes of these rows, in order, with two queries for every few hundred.
    static func load(_ passes: [PassRecord], _ db: Database) throws -> [StoredPass] {
        var current: [Int64: StoredVersion] = [:]
        for keys in passes.compactMap(\.front).chunked(500) {
            let versions = try VersionRecord.fetchAll(
                db, sql: "SELECT * FROM versions WHERE id IN (\(placeholders(keys.count)))",
                arguments: StatementArguments(keys))
            for version in try StoredVersion.load(versions, db) { current[version.id] = version }
        }
        return passes.compactMap { pass in
            guard let id = pass.id, let front = pass.front, let version = current[front] else {
                return nil
            }
            return StoredPass(
                id: id, identity: pass.identity, current: version,
                updatesAutomatically: pass.updatesAutomatically,
                showsNotifications: pass.showsNotifications)
        }
    }
}

extension StoredVersion {
    static func load(_ versions: [VersionRecord], _ db: Database) throws -> [StoredVersion] {
        var origins: [Int64: [Origin]] = [:]
        for keys in versions.compactMap(\.id).chunked(500) {
            let records = try OriginRecord.fetchAll(
                db,
                sql: """
                    SELECT * FROM origins WHERE version IN (\(placeholders(keys.count))) ORDER BY id
                    """,
                arguments: StatementArguments(keys))
            for record in records { origins[record.version, default: []].append(record.origin) }
        }
        return versions.map { $0.stored(origins: origins[$0.id ?? 0] ?? []) }
    }
}

private func placeholders(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
}

extension Array {
    fileprivate func chunked(_ size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
