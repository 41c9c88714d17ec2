internal import Foundation
internal import PassModel
internal import PassPresentation
internal import PassService
internal import PassSession
internal import PassSigning
internal import PassVerification
internal import Platform

/// Runs `publish --data`: publishes a pass for each row. The service signs a pass on first request.
struct TemplatePublication {
    private let folder: String
    private let data: TemplateData
    private let store: ServiceStore
    private let keys: SigningKeys
    private let isJSON: Bool
    private let shell: ServiceShell

    /// The maximum number of rows in a transaction, and the maximum if rows have images, which stay
    /// in memory until it ends.
    private static let (batch, batchWithImages) = (500, 25)

    init(
        folder: String, data: String, _ store: ServiceStore, _ verifier: PassVerifier,
        isJSON: Bool, _ shell: ServiceShell
    ) {
        keys = SigningKeys(shell.session, verifier: verifier)
        self.folder = folder
        self.data = TemplateData(data, in: shell.session)
        self.store = store
        self.isJSON = isJSON
        self.shell = shell
    }

    func run() async throws -> PassSession.ExitCode {
        let template = try template()
        let file = try data.rows()
        var repeats = try survey(file, template.template)
        let images = try data.images()
        var reader = try data.reader(of: file, for: template.template)
        var state = State()
        var (isAtEnd, failure) = (false, Failure?.none)
        while !isAtEnd {
            var rows: [TemplateRow] = []
            var limit = Self.batch
            while rows.count < limit {
                let entry: RowEntry?
                do throws(Failure) {
                    entry = try data.next(&reader)
                } catch {
                    // Publish the rows before the failure.
                    (entry, failure) = (nil, error)
                }
                guard let entry else {
                    isAtEnd = true
                    break
                }
                do throws(LineFault) {
                    let row = try checked(entry, template.template, &repeats)
                    if !row.columns.imageNames.isEmpty { limit = Self.batchWithImages }
                    rows.append(row)
                } catch {
                    report(error.fault.phrase, line: error.line)
                    state.tally.fail(.unreadable)
                }
            }
            let results = try await store.publish(rows, of: template, images: images)
            for (row, result) in zip(rows, results) {
                try report(result, line: row.line, template.template, &state)
                if let type = try? result.get().identity.passTypeIdentifier,
                    state.passTypes.insert(type).inserted
                {
                    warnIfUnsignable(row, type, template.template, images)
                }
            }
            shell.show(state.tally)
        }
        let isEmpty = state.tally.count == 0
        if isJSON || !isEmpty { try shell.print(state.tally, asJSON: isJSON) }
        if let failure { throw failure }
        if isEmpty {
            throw Failure.notFound(
                .joined([.verbatim(data.name), Phrase("there are no rows")], separator: ": "))
        }
        return state.tally.code
    }

    private struct State {
        var tally = PublicationTally()
        var warnings = RowWarnings()
        var passTypes: Set<String> = []
    }

    /// Signs the pass of a row as a test, and warns if that fails. It is no error, since another
    /// server may have the certificate.
    private func warnIfUnsignable(
        _ row: TemplateRow, _ passType: String, _ template: PassTemplate, _ images: ImageFolder
    ) {
        do {
            let files = try template.files(for: row, images: images)
            let folder = PassFolder(template.shared.merging(files) { $1 })
            _ = try keys.signer(for: passType).sign(folder)
        } catch {
            shell.warn(
                Phrase(
                    "passes of {name} cannot be signed here: {reason}",
                    ["name": .text(passType), "reason": .phrase(error.phrase)]),
                about: folder)
        }
    }

    private func report(
        _ result: Result<RowPublication, RowRefusal>, line: Int, _ template: PassTemplate,
        _ state: inout State
    ) throws {
        switch result {
        case .success(let row):
            state.tally.add(row.publication)
            for warning in state.warnings.add(row.warnings) {
                let isShared = template.shared[warning.file] != nil
                shell.report(warning, about: isShared ? folder : data.place(line))
            }
            if row.hasOtherToken { shell.warnOfOtherToken(about: data.place(line)) }
            try shell.print(
                row.publication, of: row.identity, key: row.downloadKey, sha256: nil,
                from: data.name,
                line: line, asJSON: isJSON)
        case .failure(let refusal):
            report(refusal.phrase, line: line)
            state.tally.fail(refusal.exitCode)
        }
    }

    /// Returns the row, unless an earlier row has the same pass type and serial number.
    private func checked(
        _ entry: RowEntry, _ template: PassTemplate, _ repeats: inout RepeatedSerials
    ) throws(LineFault) -> TemplateRow {
        switch entry {
        case .bad(let line, let fault): throw LineFault(line: line, fault: fault)
        case .row(let row):
            do throws(RowFault) {
                let serial = try template.serialNumber(for: row)
                let type = try template.passTypeIdentifier(for: row) ?? ""
                if let first = repeats.firstLine(of: type, serial, on: row.line) {
                    throw RowFault.repeatedSerialNumber(serial, firstLine: first)
                }
                return row
            } catch {
                throw LineFault(line: row.line, fault: error)
            }
        }
    }

    private struct LineFault: Error {
        let line: Int
        let fault: RowFault
    }

    private func survey(
        _ file: RowFile, _ template: PassTemplate
    ) throws(Failure) -> RepeatedSerials {
        var serials = RepeatedSerials.Survey()
        var reader = try data.reader(of: file, for: template)
        while let entry = try data.next(&reader) {
            guard case .row(let row) = entry, let serial = try? template.serialNumber(for: row),
                let type = try? template.passTypeIdentifier(for: row) ?? ""
            else { continue }
            do throws(RowFileError) {
                try serials.add(type, serial)
            } catch {
                throw .unreadable(data.name, reason: error.phrase)
            }
        }
        return RepeatedSerials(serials)
    }

    private func template() throws(Failure) -> PublishedTemplate {
        let contents = try PassFolder(argument: folder)
        do throws(TemplateError) {
            let template = try PublishedTemplate(contents)
            if !template.template.varying.isEmpty { return template }
        } catch {
            throw .unreadable(folder, reason: error.phrase)
        }
        throw .unreadable(
            folder,
            reason: Phrase("this is no template, as it has no placeholders: omit --data"))
    }

    private func report(_ phrase: Phrase, line: Int) {
        shell.problem("\(data.place(line)): \(phrase.localized)".escaped)
    }
}
