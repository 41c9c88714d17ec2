internal import Cryptography
internal import DesktopFiles
internal import Localization
internal import PassPresentation
package import PassSession

/// Registers the program with the user's desktop.
///
/// It plans all changes, writes the record and then applies them, so that the record of an
/// interrupted run is complete.
package struct Registration {
    let environment: Environment
    let program: NamedProgram
    /// The program that shows the library; nil if it is not installed.
    let viewer: NamedProgram?
    package private(set) var report: SetupReport
    private var record: SetupRecord

    private var writes: [(path: String, bytes: [UInt8])] = []
    private var unchanged: [(what: String, detail: String?)] = []
    private var choice: DefaultChoice?
    private var mailcapAddition: [UInt8]?

    package init(
        _ environment: Environment, program: NamedProgram, viewer: NamedProgram?, isPlan: Bool
    ) throws(Failure) {
        self.environment = environment
        self.program = program
        self.viewer = viewer
        report = SetupReport(isPlan: isPlan)
        record = try SetupRecord.read(in: environment)
    }

    package mutating func run(withMailcap: Bool) throws(Failure) {
        let before = record
        for file in files() { decide(file) }
        expectDatabases()
        decideDefaults()
        if withMailcap { decideMailcap() }
        if record != before, !report.isPlan {
            record.noteFolders(above: SetupRecord.path(in: environment))
            try record.write(in: environment)
        }
        writeFiles()
        updateDatabases()
        setDefaults()
        addToMailcap()
    }

    private mutating func files() -> [DesktopFile] {
        var files = [naming(program, in: .opener)]
        if let viewer { files.append(naming(viewer, in: .launcher)) }
        return files + [.types] + DesktopFile.icons
    }

    private mutating func naming(_ program: NamedProgram, in entry: DesktopFile) -> DesktopFile {
        guard let path = program.path else { return entry }
        if let named = entry.naming(program.name, at: path) { return named }
        report.add(
            .unwritable(
                path,
                reason: Phrase(
                    "a desktop entry cannot contain this path: install the program in $PATH")))
        return entry
    }

    private func path(_ file: DesktopFile) -> String { "\(environment.dataFolder)/\(file.place)" }

    private mutating func decide(_ file: DesktopFile) {
        let path = path(file)
        let known = record.files[path]
        if known == nil, !SmallFile.exists(path),
            let shared = environment.sharedDataFolders.first(where: {
                SmallFile.exists("\($0)/\(file.place)")
            })
        {
            unchanged.append(("\(shared)/\(file.place)", localized("installed for all users")))
            return
        }
        do throws(Failure) {
            let present = try SmallFile(path).contents()
            if present == file.bytes {
                unchanged.append((path, nil))
                return
            }
            if let present,
                known?.contains(Digest.sha256(present)) != true
                    || SmallFile.isLink(path)
            {
                throw .unwritable(
                    path, reason: Phrase("it was changed after setup, and is kept"))
            }
        } catch {
            report.add(error)
            return
        }
        writes.append((path, file.bytes))
        record.note(path, sha256: Digest.sha256(file.bytes))
    }

    /// The tools decide which files they create, so record those that do not exist yet.
    private mutating func expectDatabases() {
        if hasOwn(.types) {
            let database = MimeDatabase(environment)
            for path in database.files where !SmallFile.exists(path) {
                record.note(generated: path)
            }
        }
        if hasOwn(.opener) {
            let cache = EntryDatabase(environment).cache
            if !SmallFile.exists(cache) { record.note(generated: cache) }
        }
    }

    /// Whether setup wrote the file, or is about to.
    private func hasOwn(_ file: DesktopFile) -> Bool { record.files[path(file)] != nil }

    private mutating func decideDefaults() {
        do throws(Failure) {
            let choice = try DefaultChoice(environment)
            self.choice = choice
            guard choice.isNew else { return }
            record.noteFolders(above: choice.file.path)
            record.note(choice.record(after: record.defaults))
        } catch {
            report.add(error)
        }
    }

    private mutating func decideMailcap() {
        do throws(Failure) {
            guard let lines = Mailcap.lines(forProgramAt: program.path) else {
                throw .unwritable(
                    program.path ?? "",
                    reason: Phrase(
                        "a mailcap cannot contain this path: install the program in $PATH"))
            }
            let file = SmallFile("\(environment.home)/.mailcap")
            let present = try file.contents()
            var contents = present ?? []
            if let added = record.mailcap?.text {
                // Replace lines of another version; lines that the user changed stay.
                if let rest = Mailcap.contents(contents, without: added) {
                    contents = rest
                } else if contents.firstRange(of: Array(Mailcap.begin.utf8)) != nil {
                    throw .unwritable(
                        file.path,
                        reason: Phrase("the lines were changed after setup, and are kept"))
                }
            }
            let addition = Mailcap.addition(of: lines, to: contents)
            let wanted = contents + Array(addition.utf8)
            guard wanted != present else {
                unchanged.append((file.path, nil))
                return
            }
            mailcapAddition = wanted
            let isNew = record.mailcap?.isNew ?? (present == nil)
            record.note(SetupRecord.Addition(path: file.path, text: addition, isNew: isNew))
        } catch {
            report.add(error)
        }
    }

    private mutating func writeFiles() {
        for (what, detail) in unchanged { report.add(.unchanged, what, detail) }
        for (path, bytes) in writes {
            report.attempt(.wrote, path) { () throws(Failure) in try SmallFile(path).write(bytes) }
        }
    }

    private mutating func updateDatabases() {
        if hasOwn(.types) { MimeDatabase(environment).update(&report) }
        if hasOwn(.opener) { EntryDatabase(environment).update(&report) }
        if !writes.isEmpty, !report.isPlan { touchIcons(in: environment) }
    }

    private mutating func setDefaults() {
        guard let choice else { return }
        for type in DesktopFile.openedTypes {
            let what = opening(type, DesktopFile.openerName)
            if choice.isNew {
                let so = choice.openedBefore[type].map {
                    localized("until now with {name}", ["name": $0])
                }
                report.add(.set, what, so)
            } else {
                report.add(.unchanged, what)
            }
        }
        guard !report.isPlan else { return }
        do throws(Failure) {
            try choice.set()
            try choice.check()
            // Databases that were not updated do not know the names.
            if report.problems.isEmpty { try choice.checkNames() }
        } catch {
            report.add(error)
        }
    }

    private mutating func addToMailcap() {
        guard let mailcapAddition, let path = record.mailcap?.path else { return }
        let lines = localized("the lines for passes to {place}", ["place": path])
        report.attempt(.added, lines) { () throws(Failure) in
            try SmallFile(path).write(mailcapAddition)
        }
    }
}

/// The program that opens a media type or a scheme; nil for the default of the system.
func opening(_ type: String, _ entry: String?) -> String {
    guard let entry else {
        return localized("{type} opens with the default of the system", ["type": type])
    }
    return localized("{type} opens with {name}", ["type": type, "name": entry])
}
