internal import Bytes
internal import Foundation
internal import PassModel
internal import PassSigning

/// A row with all that its pass needs except the signature.
struct RowDraft: Sendable {
    let pass: Pass
    /// The SHA-256 of the authentication token.
    let token: [UInt8]
    /// The values of the template's columns, as a JSON object.
    let contents: String
    /// The images of the row, by path.
    let images: [String: [UInt8]]
    /// The SHA-256 of everything that the pass is made from.
    let digest: String
    /// The linter's warnings.
    let warnings: [LintFinding]

    /// Checks a row.
    ///
    /// - Parameter previous: The previous version. Its warnings are not repeated.
    init(
        _ row: TemplateRow, of template: PublishedTemplate, images: [String: [UInt8]],
        since previous: RowDraft? = nil
    ) throws(RowRefusal) {
        let folder: PassFolder
        do throws(RowFault) {
            folder = try template.template.folder(for: row, images)
            _ = try template.template.serialNumber(for: row)
            _ = try template.template.passTypeIdentifier(for: row)
        } catch {
            throw .row(error)
        }
        do throws(PassError) {
            pass = try Pass(folder)
        } catch {
            throw .pass(error)
        }
        if let previous { try RowDraft.check(pass, isVersionOf: previous.pass) }
        let findings = PassLint(folder, previous: previous?.pass).findings
        let mistakes = findings.filter { $0.severity == .error }
        guard mistakes.isEmpty else { throw .mistakes(mistakes) }
        guard let token = pass.tokenDigest else { throw .noToken }
        self.token = token
        self.images = images
        let known = Set(previous?.warnings ?? [])
        warnings = findings.filter { !known.contains($0) }
        contents = json(of: row, in: template.template.columns)
        digest = listDigest(
            images.merging(["": Array("\(template.digest)\n\(contents)".utf8)]) { $1 })
    }

    /// Checks that keys that must not change are the same in both versions.
    private static func check(_ pass: Pass, isVersionOf other: Pass) throws(RowRefusal) {
        let keys: [(String, KeyPath<Pass, String>)] = [
            ("serialNumber", \.serialNumber), ("passTypeIdentifier", \.passTypeIdentifier),
            ("teamIdentifier", \.teamIdentifier),
            // Apple, "Pass": the authentication token must not change.
            ("authenticationToken", \.authenticationToken.text),
        ]
        for (name, key) in keys
        where !pass[keyPath: key].utf8.elementsEqual(other[keyPath: key].utf8) {
            throw .changedKey(name)
        }
    }

    /// Checks rows on several processors. The results are in the same order as the rows.
    static func drafts(
        _ rows: [TemplateRow], of template: PublishedTemplate, images: ImageFolder?
    ) async -> [Result<RowDraft, RowRefusal>] {
        let share = max(1, rows.count / max(1, ProcessInfo.processInfo.activeProcessorCount))
        let starts = Array(stride(from: 0, to: rows.count, by: share))
        return await withTaskGroup(of: (Int, [Result<RowDraft, RowRefusal>]).self) { group in
            for start in starts {
                group.addTask {
                    let part = rows[start..<min(start + share, rows.count)]
                    return (start, part.map { draft($0, of: template, images) })
                }
            }
            var parts: [Int: [Result<RowDraft, RowRefusal>]] = [:]
            for await (start, part) in group { parts[start] = part }
            return starts.flatMap { parts[$0] ?? [] }
        }
    }

    private static func draft(
        _ row: TemplateRow, of template: PublishedTemplate, _ images: ImageFolder?
    ) -> Result<RowDraft, RowRefusal> {
        Result { () throws(RowRefusal) in
            let files: [String: [UInt8]]
            do throws(RowFault) {
                files = try images?.files(for: row) ?? [:]
            } catch {
                throw .row(error)
            }
            return try RowDraft(row, of: template, images: files)
        }
    }
}

/// The values of a row for a template, as JSON with sorted keys, so that equal rows give equal
/// text.
private func json(of row: TemplateRow, in columns: TemplateColumns) -> String {
    var values: [String: String] = [:]
    for column in columns.mandatory + columns.optional { values[column] = row[column] }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding strings cannot fail.
    let bytes = (try? encoder.encode(values)) ?? Data()
    return String(streamSafe: bytes)
}

extension String? {
    fileprivate var text: String { self ?? "" }
}
