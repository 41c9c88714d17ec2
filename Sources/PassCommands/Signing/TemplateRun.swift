internal import Foundation
internal import Localization
internal import MailSource
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassSigning
internal import PassVerification
internal import Platform

/// Runs `sign --data`: makes a pass of each row, in batches that are synced together.
struct TemplateRun {
    private let folder: String
    private let data: TemplateData
    private let pattern: String?
    private let output: String
    private let isOverwriting: Bool
    private let isJSON: Bool
    private let shell: Shell

    /// Passes that are synced together.
    private static let batch = 100

    init(
        folder: String, data: String, pattern: String?, output: String, isOverwriting: Bool,
        isJSON: Bool, _ shell: Shell
    ) {
        self.folder = folder
        self.data = TemplateData(data, in: shell.session)
        self.pattern = pattern
        self.output = output
        self.isOverwriting = isOverwriting
        self.isJSON = isJSON
        self.shell = shell
    }

    func sign(with signers: inout Signers) throws -> ExitCode {
        let contents = try passFolder(folder, in: shell)
        let template = try template(contents)
        let names = try names()
        let file = try data.rows()
        let repeats = try survey(file, template, names)
        let images = try data.images()
        let signer = try signers.signer(for: (try? Pass(contents))?.passTypeIdentifier ?? "")
        let bulk: BulkSigner
        do throws(SigningError) {
            bulk = try BulkSigner(signer, template, images: images)
        } catch {
            throw Failure.unreadable(folder, reason: error.phrase)
        }
        let writer = try writer()
        defer { writer.close() }
        return try sign(file, template, names, repeats, bulk, writer)
    }

    private func sign(
        _ file: RowFile, _ template: PassTemplate, _ names: OutputName, _ repeats: Repeats,
        _ bulk: BulkSigner, _ writer: PassBatchWriter
    ) throws -> ExitCode {
        var (repeats, code, tally) = (repeats, ExitCode.done, Tally())
        var failure: Failure?
        var lines = IssuedLines(shell.console)
        var reader = try data.reader(of: file, for: template, namingFilesBy: names)
        var (isAtEnd, isTemplateChecked) = (false, false)
        while !isAtEnd {
            var rows: [(row: TemplateRow, name: String)] = []
            while rows.count < Self.batch {
                let entry: RowEntry?
                do throws(Failure) {
                    entry = try data.next(&reader)
                } catch {
                    // The rows so far are still signed.
                    (entry, failure) = (nil, error)
                }
                guard let entry else {
                    isAtEnd = true
                    break
                }
                do throws(LineFault) {
                    rows.append(try checked(entry, template, names, &repeats))
                } catch {
                    report(error.fault.phrase, line: error.line)
                    tally.failed += 1
                    code = code.joined(with: .unreadable)
                }
            }
            if !isTemplateChecked {
                isTemplateChecked = rows.contains { warnAboutTemplate(with: $0.row, bulk) }
            }
            for (outcome, row) in zip(writer.write(rows, signedBy: bulk), rows) {
                switch outcome {
                case .success(let pass):
                    tally.signed += 1
                    for warning in tally.warnings.add(pass.warnings) {
                        warn(warning, about: data.place(row.row.line))
                    }
                    lines.print(try line(for: pass.verification, row))
                case .failure(let error):
                    report(error.phrase, line: row.row.line)
                    tally.failed += 1
                    code = code.joined(with: error.isDistrust ? .notTrusted : .unreadable)
                }
            }
            shell.console.show(
                ProgressLine.Progress(
                    bytesDone: tally.signed, bytesTotal: nil, source: data.name, unit: .passes))
        }
        try report(tally, &lines)
        if let failure { throw failure }
        try lines.finish()
        return code
    }

    /// The row and the name of its file, if no earlier row is the same pass.
    private func checked(
        _ entry: RowEntry, _ template: PassTemplate, _ names: OutputName, _ repeats: inout Repeats
    ) throws(LineFault) -> (row: TemplateRow, name: String) {
        switch entry {
        case .bad(let line, let fault): throw LineFault(line: line, fault: fault)
        case .row(let row):
            do throws(RowFault) {
                let serial = try template.serialNumber(for: row)
                let type = try template.passTypeIdentifier(for: row) ?? ""
                let name = try names.name(for: row, serialNumber: serial)
                if let first = repeats.serials.firstLine(of: type, serial, on: row.line) {
                    throw RowFault.repeatedSerialNumber(serial, firstLine: first)
                }
                if let first = repeats.names.firstLine(of: name, on: row.line) {
                    throw RowFault.repeatedName(name, firstLine: first)
                }
                return (row, name)
            } catch {
                throw LineFault(line: row.line, fault: error)
            }
        }
    }

    private struct LineFault: Error {
        let line: Int
        let fault: RowFault
    }

    /// What occurs more than once in the data.
    private struct Repeats {
        var serials: RepeatedSerials
        var names: RepeatedSerials
    }

    private func survey(
        _ file: RowFile, _ template: PassTemplate, _ names: OutputName
    ) throws -> Repeats {
        var (serials, fileNames) = (RepeatedSerials.Survey(), RepeatedSerials.Survey())
        var reader = try data.reader(of: file, for: template, namingFilesBy: names)
        while let entry = try data.next(&reader) {
            guard case .row(let row) = entry,
                let serial = try? template.serialNumber(for: row),
                let type = try? template.passTypeIdentifier(for: row) ?? "",
                let name = try? names.name(for: row, serialNumber: serial)
            else { continue }
            do throws(RowFileError) {
                try serials.add(type, serial)
                try fileNames.add(name)
            } catch {
                throw Failure.unreadable(data.name, reason: error.phrase)
            }
        }
        return Repeats(serials: RepeatedSerials(serials), names: RepeatedSerials(fileNames))
    }

    private func template(_ contents: PassFolder) throws(Failure) -> PassTemplate {
        do throws(TemplateError) {
            return try PassTemplate(contents)
        } catch {
            throw .unreadable(folder, reason: error.phrase)
        }
    }

    private func names() throws(Failure) -> OutputName {
        guard let pattern else { return .serialNumber }
        do throws(OutputNameError) {
            return try OutputName(pattern)
        } catch {
            throw .usage(.joined([.verbatim("--name"), error.phrase], separator: ": "))
        }
    }

    /// Creates the folder if it is missing.
    private func writer() throws(Failure) -> PassBatchWriter {
        do throws(FileError) {
            try DurableFile.makeFolder(shell.session.path(output).bytes, mode: 0o777)
            return try PassBatchWriter(folder: output, isOverwriting: isOverwriting)
        } catch {
            throw .unwritable(output, reason: error.phrase)
        }
    }

    private func line(for pass: Verification, _ row: (row: TemplateRow, name: String)) throws
        -> String
    {
        let path = "\(output.hasSuffix("/") ? String(output.dropLast()) : output)/\(row.name)"
        return try isJSON
            ? jsonLine(
                SignedPassRecord(pass, file: path, line: row.row.line), on: shell.console.output)
            : signedLine(pass, at: path)
    }

    /// Reports the linter's warnings about files that are the same in all passes.
    ///
    /// - Returns: False if the values of the row do not fill the template.
    private func warnAboutTemplate(with row: TemplateRow, _ bulk: BulkSigner) -> Bool {
        guard let warnings = try? bulk.sharedWarnings(with: row) else { return false }
        for warning in warnings { warn(warning, about: folder) }
        return true
    }

    private func warn(_ warning: LintFinding, about path: String) {
        let result = LintResult(
            path: path, member: nil, isFolder: true, finding: warning, isFixed: false)
        shell.console.problem(result.line.escaped)
    }

    private func report(_ phrase: Phrase, line: Int) {
        shell.console.problem("\(data.place(line)): \(phrase.localized)".escaped)
    }

    private struct Tally {
        var signed = 0
        var failed = 0
        var warnings = RowWarnings()
    }

    private func report(_ tally: Tally, _ lines: inout IssuedLines) throws {
        if isJSON {
            let summary = SigningSummaryRecord(signed: tally.signed, failed: tally.failed)
            return lines.print(try jsonLine(summary, on: shell.console.output))
        }
        var parts = [counted("{count} pass signed", "{count} passes signed", tally.signed)]
        if tally.failed > 0 {
            parts.append(counted("{count} row failed", "{count} rows failed", tally.failed))
        }
        if tally.warnings.rows > 0 {
            parts.append(
                counted(
                    "{count} row has warnings", "{count} rows have warnings", tally.warnings.rows))
        }
        shell.console.note(parts.joined(separator: ", "))
    }
}

extension PassWriteError {
    /// Whether the pass would not be trusted.
    fileprivate var isDistrust: Bool {
        switch self {
        case .row(.mistakes), .row(.signing(.notTrusted)), .row(.signing(.refusedByWallet)):
            true
        default: false
        }
    }
}
