internal import Foundation
internal import Localization
internal import PassPresentation
internal import PassStore

/// Gives passes of the library to other programs: exports, sends and copies them.
@MainActor
final class PassSharing {
    private let session: WindowSession
    private let application: Application
    private let bars: BarStack
    private let window: Window
    private let copies: Copies

    init(
        _ session: WindowSession, _ application: Application, _ bars: BarStack,
        above window: Window
    ) {
        self.session = session
        self.application = application
        self.bars = bars
        self.window = window
        copies = Copies(session)
    }

    /// Exports one pass to a file, or several to a folder.
    ///
    /// - Parameter detail: The shown pass, if any.
    func export(_ passes: [StoredPass], _ detail: StoredDetail?) {
        if passes.count > 1 {
            exportAll(passes)
        } else if let detail {
            export(detail.octets, named: detail.fileName)
        } else if let pass = passes.first {
            export(nil, pass.current, named: fileName(named: pass.current.headline))
        }
    }

    /// Exports a version of the shown pass.
    func export(_ version: StoredVersion, of detail: StoredDetail) {
        let octets = version.sha256 == detail.version.sha256 ? detail.octets : nil
        export(octets, version, named: StoredDetail.fileName(detail.stored, version))
    }

    /// - Parameters:
    ///   - octets: Nil to read them from the library.
    ///   - version: The version that has these octets.
    private func export(
        _ octets: Data?, _ version: StoredVersion? = nil, named name: String
    ) {
        let session = session
        ask(FileDialog(localized("Export Pass"), name: name, above: window)) { path in
            Result {
                let octets =
                    try octets
                    ?? version.map {
                        try session.library(for: .reading).octets(of: $0)
                    }
                if let octets { try session.export(octets, to: path) }
                return localized("Exported to {place}", ["place": path.escaped])
            }
        }
    }

    private func exportAll(_ passes: [StoredPass]) {
        let session = session
        ask(FileDialog(folder: localized("Export Passes"), above: window)) { folder in
            let (count, problems) = session.export(passes, into: folder)
            let words: KeyValuePairs = [
                "count": "\(count)", "total": "\(passes.count)", "place": folder.escaped,
            ]
            if problems.isEmpty {
                return .success(localized("{count} passes exported to {place}", words))
            }
            let text = localized("{count} of {total} passes were exported", words)
            let lines = problems.prefix(5) + (problems.count > 5 ? ["\u{2026}"] : [])
            return .failure(Unfinished(description: ([text] + lines).joined(separator: "\n")))
        }
    }

    /// Writes the exported passes to the place the user selects. The program does not exit before.
    private func ask(
        _ dialog: FileDialog,
        _ write: @escaping @Sendable (String) -> Result<String, any Error>
    ) {
        dialog.ask { [weak bars, application] path in
            application.hold()
            bars?.show(localized("Exporting…"), for: "news")
            inBackground {
                write(path)
            } then: { [weak bars] result in
                bars?.hide("news")
                switch result {
                case .success(let text): bars?.show(text, for: "news")
                case .failure(let error):
                    let problem =
                        (error as? Unfinished)?.description ?? error.phrase.localized.escaped
                    let title = localized("Passes could not be exported")
                    application.report(problem, titled: title, in: bars)
                }
                application.release()
            }
        }
    }

    /// Sends the shown pass, or several passes, by mail.
    func mail(_ passes: [StoredPass], _ detail: StoredDetail?) {
        guard detail != nil || !passes.isEmpty, areFew(passes.count) else { return }
        let (session, copies) = (session, copies)
        inBackground {
            Result {
                if passes.count > 1 || detail == nil {
                    return try session.mail(copies.paths(of: passes))
                } else if let detail {
                    let name = detail.fileName
                    try session.mail([
                        copies.path(of: detail.octets, detail.version, named: name)
                    ])
                }
            }
        } then: { [weak bars, application] result in
            guard case .failure(let error) = result else { return }
            let title = localized("Passes could not be sent")
            application.report(error.phrase.localized.escaped, titled: title, in: bars)
        }
    }

    /// Copies a pass for drag and drop.
    func copy(of detail: StoredDetail) -> [String] {
        copied { try [copies.path(of: detail.octets, detail.version, named: detail.fileName)] }
    }

    func copies(of passes: [StoredPass]) -> [String] {
        areFew(passes.count) ? copied { try copies.paths(of: passes) } : []
    }

    private func copied(_ make: () throws -> [String]) -> [String] {
        do {
            return try make()
        } catch {
            bars.show(problem: error.phrase.localized.escaped)
            return []
        }
    }

    private func areFew(_ count: Int) -> Bool {
        if count <= Copies.most { return true }
        bars.show(
            problem: localized(
                "At most {count} passes can be sent at once. Export them into a folder instead.",
                ["count": "\(Copies.most)"]))
        return false
    }
}

/// An export that wrote only some of the passes.
private struct Unfinished: Error, CustomStringConvertible {
    /// Escaped lines.
    let description: String
}
