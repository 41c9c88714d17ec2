internal import Bytes
internal import Cryptography
internal import Databases
public import Foundation
public import PassModel
public import PassSigning
internal import PassVerification

/// The row of data that the current version of a pass is made from.
///
/// For example: `let gate = try await store.row(of: identity)?.values["gate"]`
public struct PublishedRow: Sendable {
    /// The current version of the pass.
    public let pass: PublishedPass
    /// The template.
    public let template: PublishedTemplate
    /// The values, by column. Missing and empty values are left out.
    public let values: [String: String]
    /// Whether the pass is declared void.
    public let isVoided: Bool
    /// The images of the row, by path.
    let images: [String: [UInt8]]
}

/// The result of publishing a row.
///
/// ```swift
/// let results = try await store.publish([row], of: template)
/// for case .success(let row) in results { print(row.publication, row.identity) }
/// ```
public struct RowPublication: Sendable, Hashable {
    /// The identity of the row's pass.
    public let identity: PassIdentity
    /// Whether the pass is new, updated or unchanged.
    public let publication: Publication
    /// Whether the pass existed, but no earlier version had this authentication token. Apple
    /// requires the token to stay the same.
    public let hasOtherToken: Bool
    /// The secret part of the address of the download page.
    public let downloadKey: String
    /// The linter's warnings about the pass.
    public let warnings: [LintFinding]
}

// MARK: - Publishing

extension ServiceStore {
    /// Publishes a pass for each row, in one transaction. The passes are not signed yet: a
    /// ``TemplateSigner`` signs each pass when a device first requests it. Devices are notified at
    /// once.
    ///
    /// Checks each row: its values, the mistakes that `PassLint` finds, and the authentication
    /// token. Refusing one row does not stop the others from being published. If two rows describe
    /// the same pass, the later one wins; use `RepeatedSerials` to find such rows first.
    ///
    /// A pass that was declared void stays void: see ``update(_:setting:at:)``.
    ///
    /// ```swift
    /// let template = try PublishedTemplate(PassFolder(contentsOf: url))
    /// let results = try await store.publish([row], of: template)
    /// ```
    ///
    /// - Parameters:
    ///   - rows: The values of the passes. Pass a few hundred rows at a time, and fewer if they
    ///     have images, since all images are held in memory.
    ///   - template: The template.
    ///   - images: The folder with the images that the rows name; nil to ignore image columns.
    ///   - time: The time of publication.
    /// - Returns: One result per row, in the same order.
    /// - Throws: An error of the database, in which case nothing is published.
    public func publish(
        _ rows: [TemplateRow], of template: PublishedTemplate, images: ImageFolder? = nil,
        at time: Date = .now
    ) async throws(ServiceError) -> [Result<RowPublication, RowRefusal>] {
        let drafts = await RowDraft.drafts(rows, of: template, images: images)
        let accepted = drafts.compactMap { try? $0.get() }
        let publications = try await write { db -> [RowPublication] in
            if accepted.isEmpty { return [] }
            try db.lockTags()
            let template = try db.add(template)
            let publications = try accepted.map { draft in
                try db.publish(draft, of: template, at: time)
            }
            try db.removeUnusedTemplates()
            return publications
        }
        var rest = publications.makeIterator()
        return drafts.compactMap { draft in
            switch draft {
            case .success: rest.next().map { .success($0) }
            case .failure(let refusal): .failure(refusal)
            }
        }
    }

    /// Changes values in the row of a pass, and publishes the result as a new version.
    ///
    /// If the template has no `voided` column, setting `voided` to `true` declares the pass void,
    /// and `false` makes it valid again. If the template has that column, setting it overrides
    /// ``void(_:at:)``.
    ///
    /// ```swift
    /// let publication = try await store.update(identity, setting: ["gate": "7"])?.publication
    /// ```
    ///
    /// - Parameters:
    ///   - identity: The identity of the pass.
    ///   - values: The new values, by column. An empty value counts as missing.
    ///   - time: The time of publication.
    /// - Returns: Nil if the current version of the pass is not made from a row.
    /// - Throws: ``ServiceError/refused(_:_:)`` if the row cannot have these values, or an error of
    ///   the database.
    public func update(
        _ identity: PassIdentity, setting values: [String: String], at time: Date = .now
    ) async throws(ServiceError) -> RowPublication? {
        try await change(identity, setting: values, at: time)
    }

    /// Declares a pass void, as a new version. The pass must be made from a row.
    ///
    /// For example: `let publication = try await store.void(identity)?.publication`
    ///
    /// - Returns: Nil if the current version of the pass is not made from a row.
    /// - Throws: ``ServiceError/refused(_:_:)`` if the row is no longer accepted, or an error of
    ///   the database.
    public func void(
        _ identity: PassIdentity, at time: Date = .now
    ) async throws(ServiceError) -> RowPublication? {
        // Stored separately, since the template may have a column `voided`.
        try await change(identity, setting: [:], isVoided: true, at: time)
    }

    private func change(
        _ identity: PassIdentity, setting values: [String: String], isVoided: Bool? = nil,
        at time: Date
    ) async throws(ServiceError) -> RowPublication? {
        // Repeats if another program changes the row meanwhile.
        while let row = try await row(of: identity) {
            let draft: RowDraft
            let declared: Bool
            do throws(RowRefusal) {
                (draft, declared) = try row.change(setting: values)
            } catch {
                throw .refused(identity, error)
            }
            let isVoided = isVoided ?? declared
            if let publication = try await replace(row, by: draft, isVoided: isVoided, time) {
                return publication
            }
        }
        return nil
    }

    /// - Returns: Nil if the row is no longer that of the current version.
    private func replace(
        _ row: PublishedRow, by draft: RowDraft, isVoided: Bool, _ time: Date
    ) async throws(ServiceError) -> RowPublication? {
        try await write { db in
            try db.lockTags()
            guard try db.find(row.pass.identity)?.pass.tag == row.pass.tag else { return nil }
            let template = try db.add(row.template)
            return try db.publish(draft, of: template, isVoided: isVoided, at: time)
        }
    }

    /// The row that the current version of a pass is made from; nil if the pass was published as a
    /// file, or never.
    ///
    /// For example: `let isVoided = try await store.row(of: identity)?.isVoided ?? false`
    public func row(of identity: PassIdentity) async throws(ServiceError) -> PublishedRow? {
        try await read { db in
            guard let (id, pass) = try db.find(identity), let row = try db.storedRow(id) else {
                return nil
            }
            let template = try db.files("templateFiles", "template", row.template)
            return try PublishedRow(
                pass: pass, row, try PublishedTemplate(PassFolder(template)),
                images: db.files("rowImages", "pass", id))
        }
    }
}

extension PublishedRow {
    fileprivate init(
        pass: PublishedPass, _ row: StoredRow, _ template: PublishedTemplate,
        images: [String: [UInt8]]
    ) throws {
        self.init(
            pass: pass, template: template, values: try row.values, isVoided: row.isVoided,
            images: images)
    }

    /// Returns the row with other values, and whether the pass is then void.
    fileprivate func change(
        setting changes: [String: String]
    ) throws(RowRefusal) -> (draft: RowDraft, isVoided: Bool) {
        let columns = template.template.columns.mandatory + template.template.columns.optional
        var changes = changes
        var isVoided = isVoided
        if columns.contains(Self.voided) {
            if changes[Self.voided] != nil { isVoided = false }
        } else if let value = changes.removeValue(forKey: Self.voided) {
            guard let declared = Bool(value) else {
                throw .row(.notABoolean(column: Self.voided, value: value))
            }
            isVoided = declared
        }
        let unknown = changes.keys.filter { !columns.contains($0) }.sorted()
        guard unknown.isEmpty else { throw .unknownColumns(unknown, known: columns) }
        let changed = values.merging(changes) { $1 }
        let draft = try draft(changed, since: try draft(values))
        // Apple, "Pass": "a complete date that includes hours and minutes".
        let known = try incompleteDates(values)
        for (key, text) in try incompleteDates(changed).sorted(by: { $0.key < $1.key })
        where known[key] != text {
            throw .incompleteDate(key: key, text)
        }
        return (draft, isVoided)
    }

    private func incompleteDates(
        _ values: [String: String]
    ) throws(RowRefusal) -> [String: String] {
        do throws(RowFault) {
            return try template.template.folder(for: TemplateRow(line: 1, values), images)
                .incompleteDates
        } catch {
            throw .row(error)
        }
    }

    /// The key of pass.json.
    private static let voided = "voided"

    private func draft(
        _ values: [String: String], since previous: RowDraft? = nil
    ) throws(RowRefusal) -> RowDraft {
        try RowDraft(
            TemplateRow(line: 1, values), of: template, images: images, since: previous)
    }
}

// MARK: - Signing

/// A version of a pass that is not signed yet.
struct UnsignedVersion: Sendable {
    /// The number of the template in the database.
    let template: Int64
    let values: [String: String]
    let isVoided: Bool
    let images: [String: [UInt8]]
}

/// The current version of a pass.
enum CurrentVersion: Sendable {
    case signed(PublishedPass, bytes: [UInt8])
    case unsigned(tag: Int64)
}

extension ServiceStore {
    func currentVersion(
        of identity: PassIdentity
    ) async throws(ServiceError) -> CurrentVersion? {
        try await read { db in
            guard let (id, pass) = try db.find(identity) else { return nil }
            if let row = try db.row("SELECT octets FROM files WHERE pass = $1", .integer(id)) {
                return .signed(pass, bytes: try row.bytes(0))
            }
            return .unsigned(tag: pass.tag)
        }
    }

    /// A version of a pass; nil if it is signed, or not the current one any more.
    func unsignedVersion(
        _ tag: Int64, of identity: PassIdentity
    ) async throws(ServiceError) -> UnsignedVersion? {
        try await read { db in
            guard let (id, pass) = try db.find(identity), pass.tag == tag, pass.sha256 == nil,
                let row = try db.storedRow(id)
            else { return nil }
            return UnsignedVersion(
                template: row.template, values: try row.values, isVoided: row.isVoided,
                images: try db.files("rowImages", "pass", id))
        }
    }

    /// Returns the template with this number; nil if it was removed.
    func template(_ number: Int64) async throws(ServiceError) -> PassTemplate? {
        try await read { db in
            let files = try db.files("templateFiles", "template", number)
            return files.isEmpty ? nil : try PassTemplate(PassFolder(files))
        }
    }

    /// Stores the signed file of a version, unless it has one already or is no longer current.
    func store(_ pass: VerifiedPass, asVersion tag: Int64) async throws(ServiceError) {
        let file = try PassFile(pass)
        try await write { db in
            let row = try db.row(
                """
                UPDATE passes SET sha256 = $1, size = $2
                WHERE passTypeIdentifier = $3 AND serialNumber = $4 AND tag = $5 AND sha256 = ''
                RETURNING id
                """,
                .text(file.sha256), .integer(Int64(file.octets.count)),
                .text(file.identity.passTypeIdentifier), .text(file.identity.serialNumber),
                .integer(tag))
            guard let row else { return }
            try db.rows(
                "INSERT INTO files (pass, octets) VALUES ($1, $2)",
                .integer(try row.integer(0)), .bytes(file.octets))
        }
    }
}

// MARK: - Statements

/// A row of the table of rows.
private struct StoredRow {
    let template: Int64
    let contents: String
    let isVoided: Bool
    let digest: String

    /// The values by column.
    var values: [String: String] {
        get throws {
            try JSONDecoder().decode([String: String].self, from: Data(contents.utf8))
        }
    }
}

extension SQLTransaction {
    fileprivate func storedRow(_ pass: Int64) throws -> StoredRow? {
        let row = try row(
            "SELECT template, contents, voided, digest FROM passRows WHERE pass = $1",
            .integer(pass))
        guard let row else { return nil }
        return StoredRow(
            template: try row.integer(0), contents: try row.text(1),
            isVoided: try row.integer(2) != 0, digest: try row.text(3))
    }

    /// The files of a template or a row, by path.
    fileprivate func files(
        _ table: String, _ owner: String, _ number: Int64
    ) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for row in try rows(
            "SELECT path, octets FROM \(table) WHERE \(owner) = $1", .integer(number))
        {
            files[try row.text(0)] = try row.bytes(1)
        }
        return files
    }

    /// Stores a template if it is new, and returns its number.
    fileprivate func add(_ template: PublishedTemplate) throws -> Int64 {
        let known = try row("SELECT id FROM templates WHERE digest = $1", .text(template.digest))
        if let known { return try known.integer(0) }
        let row = try row(
            "INSERT INTO templates (digest) VALUES ($1) RETURNING id", .text(template.digest))
        let number = try row?.integer(0) ?? 0
        for (path, octets) in template.files {
            try rows(
                "INSERT INTO templateFiles (template, path, octets) VALUES ($1, $2, $3)",
                .integer(number), .text(path), .bytes(octets))
        }
        return number
    }

    /// Tags must be locked, so that no other program can start to use one of the templates.
    func removeUnusedTemplates() throws {
        try rows(
            """
            DELETE FROM templates
            WHERE NOT EXISTS (SELECT 1 FROM passRows WHERE passRows.template = templates.id)
            """)
    }

    /// - Parameter isVoided: Nil to keep a void pass void.
    fileprivate func publish(
        _ draft: RowDraft, of template: Int64, isVoided: Bool? = nil, at time: Date
    ) throws -> RowPublication {
        let old = try find(draft.pass.identity)
        let row = try old.flatMap { try storedRow($0.id) }
        let isVoided = isVoided ?? row?.isVoided ?? old?.pass.isVoided ?? false
        if let old, let row, row.digest == draft.digest, row.isVoided == isVoided {
            return RowPublication(draft, downloadKey: old.pass.downloadKey)
        }
        let (id, key, hasNewToken) = try addVersion(
            of: draft.pass.identity, replacing: old, sha256: "", size: 0, token: draft.token,
            isVoided: isVoided || draft.pass.isVoided, at: time)
        try rows(
            """
            INSERT INTO passRows (pass, template, contents, voided, digest)
            VALUES ($1, $2, $3, $4, $5)
            """,
            .integer(id), .integer(template), .text(draft.contents),
            .integer(isVoided ? 1 : 0), .text(draft.digest))
        for (path, octets) in draft.images {
            try rows(
                "INSERT INTO rowImages (pass, path, octets) VALUES ($1, $2, $3)",
                .integer(id), .text(path), .bytes(octets))
        }
        return RowPublication(
            draft, old == nil ? .added : .updated, hasOtherToken: old != nil && hasNewToken,
            downloadKey: key)
    }
}

extension RowPublication {
    fileprivate init(
        _ draft: RowDraft, _ publication: Publication = .unchanged, hasOtherToken: Bool = false,
        downloadKey: String
    ) {
        self.init(
            identity: draft.pass.identity, publication: publication, hasOtherToken: hasOtherToken,
            downloadKey: downloadKey, warnings: draft.warnings)
    }
}
